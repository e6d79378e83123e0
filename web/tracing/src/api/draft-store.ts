import { useSyncExternalStore } from 'react'
import type { z } from 'zod'

/*
 * What a person has entered and not yet stored in the service, per person and project, in local storage. It survives a
 * reload, follows changes of other tabs, and is removed at sign-out.
 */

export interface DraftStore<Draft> {
  /** Where nothing was entered. */
  readonly empty: Draft
  readonly read: (owner: DraftOwner) => Draft
  /** Returns false if the browser cannot store it: the draft is then lost on a reload. */
  readonly save: (owner: DraftOwner, draft: Draft) => boolean
}

export interface DraftOwner {
  readonly userId: string
  readonly projectId: string
}

/** By key, because reading and checking a large one takes long. */
const cached = new Map<string, unknown>()
const listeners = new Set<() => void>()

/** `name` is a part of the key in local storage. */
export function openDraftStore<Draft>(
  name: string,
  schema: z.ZodType<Draft>,
  empty: Draft,
): DraftStore<Draft> {
  const toKey = ({ userId, projectId }: DraftOwner) => `assay-${name}-draft ${userId} ${projectId}`
  return {
    empty,
    read(owner) {
      const key = toKey(owner)
      if (!cached.has(key)) cached.set(key, parseDraft(readStored(key), schema) ?? empty)
      return cached.get(key) as Draft
    },
    save(owner, draft) {
      const key = toKey(owner)
      cached.set(key, draft)
      notify()
      try {
        if (draft === empty) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify(draft))
        return true
      } catch {
        removeStored(key)
        return false
      }
    },
  }
}

export function useDraftOf<Draft>(store: DraftStore<Draft>, owner: DraftOwner): Draft {
  return useSyncExternalStore(subscribe, () => store.read(owner))
}

/** Removes the drafts of everybody, at sign-out. */
export function forgetDrafts(): void {
  cached.clear()
  for (const key of storedKeys()) removeStored(key)
  notify()
}

function parseDraft<Draft>(text: string | null, schema: z.ZodType<Draft>): Draft | undefined {
  if (text === null) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', followOtherTabs)
  return () => listeners.delete(listener)
}

function followOtherTabs({ key }: StorageEvent): void {
  if (key === null) cached.clear()
  else if (!cached.delete(key)) return
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => /^assay-\w+-draft /.test(key))
  } catch {
    return []
  }
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** An older draft must not come back after a reload. */
function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is disabled.
  }
}
