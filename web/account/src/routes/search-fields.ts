/*
 * Search parameters as data, without the schemas of the contract: every visit loads all of them, and a schema library
 * would double the time until its first request.
 */

/** A search parameter of a page. */
export interface Field<Value> {
  /** The value; undefined if it is invalid. */
  readonly parse: (given: unknown) => Value | undefined
  /** All valid values, where they are few. */
  readonly options?: readonly string[]
  /** What the value is in the URL; a text by default. */
  readonly type?: 'number' | 'list'
  /** An empty text is a value. In other fields, it stands for an absent parameter. */
  readonly canBeEmpty?: true
}

/** A text that `isValid`. */
export function textThat(isValid: (text: string) => boolean): Field<string> {
  return {
    parse: (given) => (typeof given === 'string' && isValid(given) ? given : undefined),
  }
}

export const text = textThat(() => true)

export function textUpTo(maxLength: number): Field<string> {
  return textThat(({ length }) => length <= maxLength)
}

export function oneOf<const Option extends string>(options: readonly Option[]): Field<Option> {
  return { parse: (given) => options.find((one) => one === given), options }
}

/** A switch that is on if the parameter is present. */
export const flag = oneOf(['1'])

export interface NumberRange {
  readonly min?: number
  readonly max?: number
  readonly isWhole?: boolean
}

export function number({ min = -Infinity, max = Infinity, isWhole }: NumberRange): Field<number> {
  return {
    parse(given) {
      const isGiven =
        typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')
      const value = isGiven ? Number(given) : Number.NaN
      const isInRange = Number.isFinite(value) && value >= min && value <= max
      return isInRange && (!isWhole || Number.isSafeInteger(value)) ? value : undefined
    },
    type: 'number',
  }
}

/** One text or several, which may be empty. Invalid if one of them is, or if they are too many. */
export function several(field: Field<string>, max: number): Field<readonly string[]> {
  return {
    parse(given) {
      const values = [given].flat()
      const isValid = values.length <= max && values.every((one) => field.parse(one) !== undefined)
      return isValid ? (values as string[]) : undefined
    },
    type: 'list',
  }
}

/** `convert` returns undefined for an invalid value. */
export function mapped<From, To>(
  field: Field<From>,
  convert: (value: From) => To | undefined,
): Field<To> {
  const parse = (given: unknown) => {
    const value = field.parse(given)
    return value === undefined ? undefined : convert(value)
  }
  return { ...(field as Field<never>), parse }
}

export function allowEmpty<Value>(field: Field<Value>): Field<Value> {
  return { ...field, canBeEmpty: true }
}

/** A value as JSON text in the URL. */
export function jsonText<Value>(isValid: (value: unknown) => value is Value): Field<Value> {
  return {
    parse(given) {
      const value = typeof given === 'string' ? parseJson(given) : given
      return isValid(value) ? value : undefined
    },
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
