// Whether digits are the number of a payment card.

/** With what stands between its digits. */
export const LONGEST_CARD_NUMBER = 40;

/** The check digit of a card is right one time in ten by chance. */
export function isCardNumber(value: string): boolean {
  if (value.length > LONGEST_CARD_NUMBER) return false;
  const digits = value.replace(/[\s-]/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
