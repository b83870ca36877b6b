// Addresses as they are told: long ones cut, and inline data left out.

const LONGEST = 2_000;

export function tellAddress(address: string): string {
  const data = /^data:[^,]{0,100}/i.exec(address);
  if (data) return address.length > data[0].length + 1 ? `${data[0]},…` : address;
  return address.length <= LONGEST ? address : `${address.slice(0, LONGEST - 1)}…`;
}
