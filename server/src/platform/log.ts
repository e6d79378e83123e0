import type { Clock } from './clock.ts'
import { toErrorText } from './error-text.ts'
import { Unavailable } from './failure.ts'
import { openProcessRateLimit } from './rate-limit.ts'

/*
 * The log: one JSON object per line on standard error. Callers pass single fields, never a request, headers or a
 * body, so that no secret is logged by accident.
 */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** `at`, `level` and `message` are the line's own. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>> & {
  readonly [reserved in 'at' | 'level' | 'message']?: never
}

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  /** Logs name, message and stack of `error` and its causes; of one that is unavailable, which is no defect, the reason. */
  error(message: string, error: unknown, fields?: LogFields): void
}

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function openLog(level: LogLevel, write: (line: string) => void): Log {
  const emit = (at: LogLevel, message: string, fields: LogFields = {}) => {
    if (order.indexOf(at) < order.indexOf(level)) return
    write(`${JSON.stringify({ ...fields, at: new Date().toISOString(), level: at, message })}\n`)
  }
  return {
    debug: (message, fields) => emit('debug', message, fields),
    info: (message, fields) => emit('info', message, fields),
    warn: (message, fields) => emit('warn', message, fields),
    error: (message, error, fields) =>
      emit('error', message, { ...fields, error: formatError(error) }),
  }
}

/**
 * The same log with warnings and errors limited by message, because requests of anybody can cause some. The next line
 * with the message has the number of those that were skipped.
 */
export function limitLog(log: Log, clock: Pick<Clock, 'monotonicMs'>): Log {
  const take = openProcessRateLimit(clock, { burst: 100, intervalMs: 1000 })
  const skipped = new Map<string, number>()
  const write = (
    message: string,
    fields: LogFields | undefined,
    line: (all: LogFields) => void,
  ) => {
    const earlier = skipped.get(message) ?? 0
    if (take(message) > 0) {
      skipped.set(message, earlier + 1)
      return
    }
    skipped.delete(message)
    line(earlier === 0 ? { ...fields } : { ...fields, skipped: earlier })
  }
  return {
    ...log,
    warn: (message, fields) => write(message, fields, (all) => log.warn(message, all)),
    error: (message, error, fields) =>
      write(message, fields, (all) => log.error(message, error, all)),
  }
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Unavailable) return toErrorText(error)
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause === undefined ? own : `${own}\ncaused by ${formatError(error.cause)}`
}
