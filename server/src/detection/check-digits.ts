/*
 * Check digits that the package stdnum does not have or takes long to reject.
 */

interface Validation {
  readonly isValid: boolean
}

/** Adapts a validator of stdnum: separators are removed first. */
export function valid(validate: (value: string) => Validation) {
  return (value: string): boolean => {
    const limit = Error.stackTraceLimit
    // stdnum creates an error for every value that it rejects: recording the stack would take most of the time.
    Error.stackTraceLimit = 0
    try {
      return validate(withoutSeparators(value)).isValid
    } finally {
      Error.stackTraceLimit = limit
    }
  }
}

export function withoutSeparators(value: string): string {
  return value.replace(/[ .\-/]/g, '')
}

/** The sum of the digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0)
}

/** Cards, and some national numbers. */
export function hasLuhnDigit(value: string): boolean {
  const digits = withoutSeparators(value)
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - i))
    sum += i % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
  }
  return sum % 10 === 0 && !isRepeated(digits)
}

/** ISO 7064 modulo 97, as in an IBAN: letters count as 10 to 35. */
export function isModulo97(value: string): boolean {
  let remainder = 0
  for (const character of value.slice(4) + value.slice(0, 4)) {
    const number = Number.parseInt(character, 36)
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97
  }
  return remainder === 1
}

export function isBrazilianCpf(value: string): boolean {
  const digits = withoutSeparators(value)
  const digitAfter = (count: number) => {
    const weights = Array.from({ length: count }, (_, at) => count + 1 - at)
    const remainder = weightedSum(digits, weights) % 11
    return remainder < 2 ? 0 : 11 - remainder
  }
  return (
    Number(digits.charAt(9)) === digitAfter(9) &&
    Number(digits.charAt(10)) === digitAfter(10) &&
    !isRepeated(digits)
  )
}

export function isChileanRut(value: string): boolean {
  const compact = withoutSeparators(value).padStart(9, '0')
  const check = 11 - (weightedSum(compact, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)
  return compact.charAt(8).toUpperCase() === (check === 11 ? '0' : check === 10 ? 'K' : `${check}`)
}

export function isDutchBsn(value: string): boolean {
  const digits = withoutSeparators(value)
  return weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && !/^0+$/.test(digits)
}

export function isFrenchNir(value: string): boolean {
  const compact = withoutSeparators(value).toUpperCase()
  const number = Number(compact.slice(0, 13).replace('2A', '19').replace('2B', '18'))
  return 97 - (number % 97) === Number(compact.slice(13))
}

export function isGreekAfm(value: string): boolean {
  const check = (weightedSum(value, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10
  return check === Number(value.charAt(8)) && !isRepeated(value)
}

export function isPortugueseNif(value: string): boolean {
  const digits = withoutSeparators(value)
  const check = 11 - (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return (check > 9 ? 0 : check) === Number(digits.charAt(8))
}

export function isAustralianTfn(value: string): boolean {
  const digits = withoutSeparators(value)
  const weights = digits.length === 8 ? [10, 7, 8, 4, 6, 3, 5, 1] : [1, 4, 3, 7, 5, 8, 6, 9, 10]
  return weightedSum(digits, weights) % 11 === 0 && !isRepeated(digits)
}

/** A second list of weights applies when the first would need two digits. */
export function isNewZealandIrd(value: string): boolean {
  const digits = withoutSeparators(value).padStart(9, '0')
  const checkWith = (weights: readonly number[]) => (11 - (weightedSum(digits, weights) % 11)) % 11
  const first = checkWith([3, 2, 7, 6, 5, 4, 3, 2])
  const check = first === 10 ? checkWith([7, 4, 3, 2, 5, 2, 7, 6]) : first
  const number = Number(digits)
  return check === Number(digits.charAt(8)) && number > 10_000_000 && number < 150_000_000
}

export function isThaiId(value: string): boolean {
  const digits = withoutSeparators(value)
  const sum = weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  return (11 - (sum % 11)) % 10 === Number(digits.charAt(12)) && !digits.startsWith('0')
}

/** The check digit only: a remainder of 10 counts as 1. */
export function hasRomanianDigit(digits: string): boolean {
  const remainder = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return (remainder === 10 ? 1 : remainder) === Number(digits.charAt(12))
}

/** The check digit only. */
export function hasKoreanDigit(value: string): boolean {
  const digits = withoutSeparators(value)
  const sum = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5])
  return (11 - (sum % 11)) % 10 === Number(digits.charAt(12))
}

/** All digits are the same. */
function isRepeated(digits: string): boolean {
  return /^(\d)\1*$/.test(digits)
}

export function isNhsNumber(value: string): boolean {
  const digits = withoutSeparators(value)
  const check = 11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return (check === 11 ? 0 : check) === Number(digits.charAt(9)) && !isRepeated(digits)
}

export function isSingaporeIdentifier(value: string): boolean {
  const upper = value.toUpperCase()
  const [series, letters, extra] = {
    S: ['S', 'JZIHGFEDCBA', 0] as const,
    T: ['T', 'JZIHGFEDCBA', 4] as const,
    F: ['F', 'XWUTRQPNMLK', 0] as const,
    G: ['G', 'XWUTRQPNMLK', 4] as const,
    M: ['M', 'KLJNPQRTUWX', 3] as const,
  }[upper.charAt(0)] ?? ['', '', 0]
  if (series === '') return false
  const remainder = (weightedSum(upper.slice(1), [2, 7, 6, 5, 4, 3, 2]) + extra) % 11
  const at = series === 'M' ? 10 - remainder : remainder
  return upper.charAt(8) === letters.charAt(at)
}

/** The individual number of Japan ("My Number"): 12 digits. */
export function isJapaneseIndividualNumber(value: string): boolean {
  const digits = withoutSeparators(value)
  const remainder = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (remainder <= 1 ? 0 : 11 - remainder) === Number(digits.charAt(11)) && !/^0+$/.test(digits)
}

export function isAustralianMedicareNumber(value: string): boolean {
  const digits = withoutSeparators(value)
  return weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits.charAt(8))
}

/** Indonesia: the region, the date of birth (plus 40 for women) and a serial number. There is no check digit. */
export function isIndonesianIdentityNumber(value: string): boolean {
  const digits = withoutSeparators(value)
  const day = Number(digits.slice(6, 8)) % 40
  const month = Number(digits.slice(8, 10))
  return day >= 1 && day <= 31 && month >= 1 && month <= 12 && !digits.endsWith('0000')
}

/** A check digit of the machine-readable zone of passports, with `<` as zero. */
function hasPassportDigit(field: string, check: string): boolean {
  let sum = 0
  for (let i = 0; i < field.length; i += 1) {
    const character = field.charAt(i)
    sum += (character === '<' ? 0 : Number.parseInt(character, 36)) * ([7, 3, 1][i % 3] ?? 0)
  }
  return String(sum % 10) === check
}

/** The second line of a passport: number, date of birth and date of expiry each have a check digit. */
export function isPassportLine(line: string): boolean {
  return (
    hasPassportDigit(line.slice(0, 9), line.charAt(9)) &&
    hasPassportDigit(line.slice(13, 19), line.charAt(19)) &&
    hasPassportDigit(line.slice(21, 27), line.charAt(27))
  )
}
