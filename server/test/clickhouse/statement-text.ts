/*
 * What ClickHouse's HTTP interface does with a statement before it runs, for an engine without one: settings and typed
 * parameters, which come with the address of the request, become part of its text.
 */

/** A statement as it arrives: `data` follows the FORMAT clause of an INSERT. */
export interface RequestedStatement {
  readonly text: string
  readonly data: string | undefined
  readonly settings: ReadonlyMap<string, string>
  readonly parameters: ReadonlyMap<string, string>
}

export interface EngineStatement {
  readonly text: string
  /** Of the result; undefined for a statement without one. */
  readonly format: string | undefined
}

export function toEngineStatement(requested: RequestedStatement): EngineStatement {
  const bound = bindParameters(requested.text.trim(), requested.parameters)
  const [, body = bound, format] = /^(.*)\sFORMAT\s+(\w+)\s*;?$/su.exec(bound) ?? []
  const settings = [...requested.settings].map(
    ([name, value]) => `${name} = ${quoteSetting(value)}`,
  )
  const clause = settings.length === 0 ? '' : ` SETTINGS ${settings.join(', ')}`
  if (requested.data !== undefined) {
    const text = `${body}${clause} FORMAT ${format ?? 'Values'}\n${requested.data}`
    return { text, format: undefined }
  }
  const takesSettings = /^(SELECT|WITH|INSERT|DELETE|OPTIMIZE|\()/iu.test(body)
  return { text: takesSettings ? `${body}${clause}` : body, format }
}

/** Each `{name:Type}` as a literal of that type. */
function bindParameters(text: string, parameters: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{(\w+):([^{}]+)\}/gu, (whole, name: string, type: string) => {
    const value = parameters.get(name)
    if (value === undefined) return whole
    if (type.trim() === 'Identifier') return `\`${value.replaceAll('`', '')}\``
    if (value === '\\N') return `CAST(NULL, ${quote(type)})`
    const content = type.trim() === 'String' ? unescapeTab(value) : value
    return `CAST(${quote(content)}, ${quote(type)})`
  })
}

/** Texts arrive in the escaping of tab-separated values. */
function unescapeTab(value: string): string {
  const escapes: Readonly<Record<string, string>> = {
    ...{ b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0' },
  }
  return value.replaceAll(/\\(.)/gsu, (_whole, letter: string) => escapes[letter] ?? letter)
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)
  return `'${escaped.replaceAll('\0', String.raw`\0`)}'`
}

function quoteSetting(value: string): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? value : quote(value)
}
