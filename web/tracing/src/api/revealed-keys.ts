import { useSyncExternalStore } from 'react'

/*
 * Full tracing keys that this page has been shown, by project. In memory only: never in the address, never in
 * storage, gone with the page.
 */

const keys = new Map<string, string>()
const listeners = new Set<() => void>()

export function rememberKey(projectId: string, key: string): void {
  keys.set(projectId, key)
  for (const listener of listeners) listener()
}

/** Forgets them all, when someone signs out. */
export function forgetKeys(): void {
  keys.clear()
  for (const listener of listeners) listener()
}

/** The full key shown last for the project, if this page still knows it. */
export function useRevealedKey(projectId: string): string | undefined {
  return useSyncExternalStore(subscribe, () => keys.get(projectId))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
