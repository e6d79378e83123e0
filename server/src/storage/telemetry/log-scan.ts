import type { LogFilters } from './port/logs.ts'

/** Whether the filters make an engine examine log records that it does not return. */
export function isScan({ traceId, severity, service, eventName, words = [] }: LogFilters): boolean {
  if (traceId !== undefined) return false
  return [severity, service, eventName].some((each) => each !== undefined) || words.length > 0
}
