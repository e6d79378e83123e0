import { parseArgs } from 'node:util'

/*
 * Parses the arguments of `assay probe`.
 */

export interface ProbeOptions {
  /** `http://localhost:4600/api/v1`. */
  readonly api: string
  /** Who signs in with a password; undefined: a session cookie is used. */
  readonly email: string | undefined
  readonly everyMs: number
  /** Undefined: runs until stopped. */
  readonly count: number | undefined
  /** A trace that is not found after this time is lost. */
  readonly withinMs: number
  readonly isJson: boolean
}

export const probeUsage = [
  '  npm run assay -- probe --email <address> [--url <origin>]',
  '                         [--every 1s] [--count <n>] [--within 30s] [--json]',
  '      Write small traces to a running service and read them back until stopped. Reports how soon they are',
  '      visible and whether any is lost; exits with 1 if so. Standard input takes a tracing key of the project to',
  '      write to and, in the next line, the password or, with --session instead of --email, a session cookie as',
  '      `name=value`.',
] as const

/** A string is an error message. */
export function probeOptions(args: readonly string[]): ProbeOptions | string {
  const read = parsed(args)
  if (typeof read === 'string') return read
  const { url, email, session, every, count, within, json } = read
  const origin = URL.parse(url)?.origin
  const everyMs = durationMs(every)
  const withinMs = durationMs(within)
  if (origin === undefined || !origin.startsWith('http'))
    return '--url must be an http or https origin.'
  if ((email === undefined) !== session) return 'Pass either --email or --session.'
  if (everyMs === undefined) return '--every must be a duration such as 500ms, 1s or 1m.'
  if (withinMs === undefined) return '--within must be a duration such as 500ms, 30s or 1m.'
  const number = count === undefined ? undefined : Number(count)
  if (number !== undefined && !(Number.isSafeInteger(number) && number > 0)) {
    return '--count must be a positive integer.'
  }
  return { api: `${origin}/api/v1`, email, everyMs, withinMs, count: number, isJson: json }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string', default: 'http://localhost:4600' },
        email: { type: 'string' },
        session: { type: 'boolean', default: false },
        every: { type: 'string', default: '1s' },
        count: { type: 'string' },
        within: { type: 'string', default: '30s' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const unitMs = { ms: 1, s: 1000, m: 60_000 } as const

/** Undefined unless it is a positive duration. */
function durationMs(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const ms = Number(number) * unitMs[unit as keyof typeof unitMs]
  return ms > 0 ? ms : undefined
}
