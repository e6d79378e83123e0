import { useSyncExternalStore } from 'react'

/*
 * Full tracing keys shown on this page, by project. In memory only: never in the URL or in storage.
 */

const keys = new Map<string, string>()
const listeners = new Set<() => void>()

export function rememberKey(projectId: string, key: string): void {
  keys.set(projectId, key)
  for (const listener of listeners) listener()
}

/** Clears all keys on sign-out. */
export function forgetKeys(): void {
  keys.clear()
  for (const listener of listeners) listener()
}

/** The full key shown last for the project, if it is still in memory. */
export function useRevealedKey(projectId: string): string | undefined {
  return useSyncExternalStore(subscribe, () => keys.get(projectId))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
