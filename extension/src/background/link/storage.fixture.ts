// For tests: a storage area of the browser's, which holds what a test looks at.

export function area(held: Record<string, unknown>) {
  return {
    async get(asked: string | Record<string, unknown>) {
      const defaults = typeof asked === "string" ? {} : asked;
      const names = typeof asked === "string" ? [asked] : Object.keys(asked);
      const found = names.filter((name) => name in held).map((name) => [name, held[name]]);
      return { ...defaults, ...Object.fromEntries(found) };
    },
    async set(changes: Record<string, unknown>) {
      Object.assign(held, changes);
    },
    async remove(name: string) {
      delete held[name];
    },
  };
}
