/** Check digits of public numbering schemes: they tell a card from an order number. */

/** Payment cards (ISO/IEC 7812): 13 to 19 digits. */
export function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || !/^(?:[2-6]|81)/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  [...digits].reverse().forEach((digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

/** Bank accounts (ISO 13616), by the remainder of 97. */
export function isIban(text: string): boolean {
  const compact = text.replace(/\s/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Spanish DNI and NIE: the letter is the number's remainder of 23. */
export function isSpanishId(text: string): boolean {
  const compact = text.replace(/[\s.-]/g, "").toUpperCase();
  const [, first = "", digits = "", letter] = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(compact) ?? [];
  if (letter === undefined || first.length + digits.length !== 8) return false;
  const number = Number((first === "" ? "" : String("XYZ".indexOf(first))) + digits);
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === letter;
}

/** German tax identification (Steuer-ID): ISO 7064, MOD 11,10. */
export function isGermanTaxId(text: string): boolean {
  const digits = text.replace(/\s/g, "");
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

const CHINESE_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Chinese resident identity (GB 11643): 17 digits with a date of birth, and their check. */
export function isChineseId(text: string): boolean {
  const compact = text.toUpperCase();
  if (!/^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/.test(compact)) return false;
  const sum = CHINESE_WEIGHTS.reduce((total, weight, at) => total + weight * Number(compact[at]), 0);
  return "10X98765432"[sum % 11] === compact[17];
}
