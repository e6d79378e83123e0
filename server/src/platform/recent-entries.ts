/** Sets an entry as the newest of a map with at most `max` entries: beyond it, the oldest is dropped. */
export function setNewest<Key, Value>(
  entries: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): void {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.size > max ? entries.keys() : []
  if (oldest !== undefined) entries.delete(oldest)
}
