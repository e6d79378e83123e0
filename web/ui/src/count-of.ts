import { formatCount } from './number-format.ts'

/** `1 member`, `1,234 members`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
