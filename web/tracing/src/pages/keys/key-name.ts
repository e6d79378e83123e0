import type { TracingKey } from '@assay/contract/tracing-keys.ts'

/** What a key is told from the others by, without being it. */
export function nameOfKey({ key_prefix, key_hint }: TracingKey): string {
  return `${key_prefix}…${key_hint}`
}
