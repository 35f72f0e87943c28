/** Check digits of public numbering schemes: they tell a card from an order number. */

/** Payment cards (ISO/IEC 7812): 13 to 19 digits. No issuer's numbers begin as a year does. */
export function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || !/^(?:2[2-7]|[3-6]|81)/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  [...digits].reverse().forEach((digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

/** Length of a bank account's number by country (the registry of ISO 13616). */
const IBAN_LENGTHS = new Map(
  (
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27" +
    "GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24" +
    "PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30"
  )
    .match(/.{4}/g)
    ?.map((one) => [one.slice(0, 2), Number(one.slice(2))] as const),
);

/** How many letters and digits the account number has that begins with these two letters; none where no country has them. */
export function ibanLength(country: string): number | undefined {
  return IBAN_LENGTHS.get(country.toUpperCase());
}

/** Bank accounts (ISO 13616), by their country's length and the remainder of 97; more digits than letters, as prose has not.
 * @param text with any signs between its letters and digits */
export function isIban(text: string): boolean {
  const compact = text.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}/.test(compact) || compact.length !== ibanLength(compact.slice(0, 2))) return false;
  if (compact.replace(/\D/g, "").length * 2 <= compact.length) return false;
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Spanish DNI and NIE: the letter is the number's remainder of 23. */
export function isSpanishId(text: string): boolean {
  const compact = text.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  const [, first = "", digits = "", letter] = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(compact) ?? [];
  if (letter === undefined || first.length + digits.length !== 8) return false;
  const number = Number((first === "" ? "" : String("XYZ".indexOf(first))) + digits);
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === letter;
}

/** German tax identification (Steuer-ID): ISO 7064, MOD 11,10. */
export function isGermanTaxId(text: string): boolean {
  const digits = text.replace(/\D/g, "");
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
  const compact = text.replace(/[^\dXx]/g, "").toUpperCase();
  if (!/^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/.test(compact)) return false;
  const sum = CHINESE_WEIGHTS.reduce((total, weight, at) => total + weight * Number(compact[at]), 0);
  return "10X98765432"[sum % 11] === compact[17];
}
