// Which of the two builds this is. A constant, so that the bundler drops what
// `lite` has no permission for.

export type Build = "full" | "lite";

export const BUILD: Build = import.meta.env.MODE === "lite" ? "lite" : "full";
