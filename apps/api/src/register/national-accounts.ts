/** How the banks of countries without IBANs number accounts, where one way to write them is certain. */

/** The account has the bank's national code beside it. */
export type CodedForm = {
  /** The code in one spelling; undefined if it is none. */
  codeOf(written: string): string | undefined;
  /** How a code is written before the number of an account. */
  prefixesOf(code: string): string[];
  codeLengths: readonly number[];
  codeText: string;
  /** A number that is longer begins with its bank's code. Without leading zeros. */
  digitsMax: number;
  /** Shown where an account is no such number; undefined where letters are not unheard of. */
  accountText?: string;
};

/** The account's number says its bank. */
export type WholeForm = {
  /** What is equal in all ways to write it, and what it may be called without its bank; undefined if it is no whole number. */
  read(number: string): { account: string; numbers: string[] } | undefined;
  /** Also one that lacks its end or its bank, as earlier versions accepted. */
  readPart?(number: string, code: string): { account?: string; numbers: string[] };
  accountText: string;
};

const digitsOnly = /^\d+$/;
const abaPattern = /^\d{9}$/;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const weigh = (digits: string, weights: readonly number[]): number => sum(Array.from(digits, (digit, place) => Number(digit) * weights[place % weights.length]!));
const checkDigitOf = (digits: string, weights: readonly number[]): string => String((10 - (weigh(digits, weights) % 10)) % 10);

/** A routing number of the American Bankers Association, by its check digit. */
export const isAba = (code: string): boolean => abaPattern.test(code) && weigh(code, [3, 7, 1]) % 10 === 0;

/** Canada writes the institution before the transit number with a zero, and after it without. */
function canadianCodeOf(written: string): string | undefined {
  if (/^0\d{8}$/.test(written)) return written.slice(1);
  return /^\d{8}$/.test(written) ? written.slice(5) + written.slice(0, 5) : undefined;
}

export const codedForms: Readonly<Record<string, CodedForm>> = {
  US: {
    codeOf: (written) => (isAba(written) ? written : undefined),
    prefixesOf: (code) => [code],
    codeLengths: [9],
    codeText: "bank_code must be a routing number of 9 digits for a bank in the United States",
    digitsMax: 17,
  },
  AU: {
    codeOf: (written) => (/^\d{6}$/.test(written) ? written : undefined),
    prefixesOf: (code) => [code],
    codeLengths: [6],
    codeText: "bank_code must be a BSB of 6 digits for a bank in Australia",
    digitsMax: 10,
    accountText: "account must be an account number of at most 10 digits, without the BSB, for a bank in Australia",
  },
  CA: {
    codeOf: canadianCodeOf,
    prefixesOf(code) {
      const [institution, transit] = [code.slice(0, 3), code.slice(3)];
      return [transit + institution, `0${code}`, code, transit];
    },
    codeLengths: [8, 9],
    codeText: "bank_code must be the institution and transit number for a bank in Canada: 0IIITTTTT or TTTTTIII, with I for the institution and T for the transit",
    digitsMax: 12,
    accountText: "account must be an account number of at most 12 digits, without institution and transit, for a bank in Canada",
  },
};

/** Bank, branch and customer: the suffix after them names one of the customer's accounts. */
const newZealandBase = "BBbbbbAAAAAAA".length;
const newZealandBank = "BBbbbb".length;

export const wholeForms: Readonly<Record<string, WholeForm>> = {
  NZ: {
    read: (number) => (/^\d{15,16}$/.test(number) ? readNewZealand(number) : undefined),
    readPart(number, code) {
      const joined = /^\d{6}$/.test(code) && /^\d{7,10}$/.test(number) ? code + number : number;
      if (/^\d{13}(\d{2,3})?$/.test(joined)) return readNewZealand(joined);
      return { numbers: /^\d{9,10}$/.test(number) ? [number.slice(0, newZealandBase - newZealandBank)] : [] };
    },
    accountText: "account must be the full number of 15 or 16 digits, from the bank to the suffix, for a bank in New Zealand",
  },
  MX: {
    read(number) {
      if (!/^\d{18}$/.test(number) || checkClabe(number) !== number.at(-1)) return undefined;
      // Behind bank and town, the town before it, and without the branch that some banks have in it.
      return { account: number, numbers: [number.slice(6, 17), number.slice(3, 17), number.slice(10, 17)] };
    },
    accountText: "account must be a CLABE of 18 digits, with its check digit, for a bank in Mexico",
  },
  AR: {
    read(number) {
      if (!/^\d{22}$/.test(number)) return undefined;
      const isChecked = checkDigitOf(number.slice(0, 7), [7, 1, 3, 9]) === number[7] && checkDigitOf(number.slice(8, 21), [3, 9, 7, 1]) === number[21];
      return isChecked ? { account: number, numbers: [number.slice(8, 21), number.slice(8)] } : undefined;
    },
    accountText: "account must be a CBU or CVU of 22 digits, with its check digits, for a bank in Argentina",
  },
};

function readNewZealand(number: string): { account: string; numbers: string[] } {
  const [customer, suffix] = [number.slice(newZealandBank, newZealandBase), number.slice(newZealandBase)];
  // The suffix has two or three digits.
  const suffixes = suffix === "" ? [] : [suffix.slice(-2), suffix.padStart(3, "0")];
  return { account: number.slice(0, newZealandBase), numbers: [customer, ...suffixes.map((each) => customer + each)] };
}

/** Each product's last digit counts. */
const checkClabe = (clabe: string): string => checkDigitOf(clabe.slice(0, 17), [3, 7, 1]);

const withoutZeros = (number: string): string => number.replace(/^0+/, "");

/** A national code and number, as they may be meant. Numbers that are too long begin with a code, perhaps without its zero. */
export function readCoded(form: CodedForm, number: string, code: string): { code: string; number: string }[] {
  const known = form.codeOf(code);
  const rests = known === undefined ? [] : form.prefixesOf(known).filter((prefix) => number.startsWith(prefix)).map((prefix) => ({ code: known, number: number.slice(prefix.length) }));
  if (!digitsOnly.test(number) || withoutZeros(number).length <= form.digitsMax) return rests;
  const cut = [number, `0${number}`].flatMap((whole) => form.codeLengths.map((length) => ({ code: form.codeOf(whole.slice(0, length)), number: whole.slice(length) })));
  return [...rests, ...cut.flatMap(({ code: found, number: rest }) => (found === undefined ? [] : [{ code: found, number: rest }]))];
}

/** Whether no code is needed beside the number. */
export const saysItsBank = (country: string): boolean => country in wholeForms;

type Found = { account: string; code: string | null; country: string };

/** Why this cannot be a new payee's account in that country; undefined if it can, or if its numbers are not known here. */
export function findNationalFault({ account, code, country }: Found): string | undefined {
  const coded = codedForms[country];
  if (coded !== undefined) {
    if (code === null || coded.codeOf(code) === undefined) return coded.codeText;
    const isNumber = digitsOnly.test(account) && withoutZeros(account).length <= coded.digitsMax;
    return coded.accountText === undefined || isNumber ? undefined : coded.accountText;
  }
  const whole = wholeForms[country];
  return whole === undefined || whole.read(account) !== undefined ? undefined : whole.accountText;
}
