import { agentToolKinds } from '@assay/contract/agent-config.ts'
import { type Volumes, volumes } from '@assay/contract/cost-calculator.ts'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'

/*
 * The agent that a person enters for an estimate, per person and project, in local storage.
 *
 * An agent has up to a million characters, which no address can hold. So the address of an estimate has only its
 * settings, and the agent stays in the browser, where it survives a reload. Once scenarios are generated, the stored
 * run has the agent, and its address can be shared.
 */

const draftSchema = z.object({
  agent: z.object({
    system_prompt: z.string(),
    tone: z.string(),
    memory: z.string(),
    tools: z.array(
      z.object({
        kind: z.enum(agentToolKinds),
        name: z.string(),
        mode: z.enum(['simulated', 'real']),
        description: z.string(),
        content: z.string().optional(),
      }),
    ),
  }),
  imported: volumes.optional(),
})

/** Not checked: it may be incomplete. */
export interface AgentDraft extends z.output<typeof draftSchema> {
  /** The volumes of the recorded runs that the agent was imported from. */
  readonly imported?: Volumes | undefined
}

export const emptyDraft: AgentDraft = {
  agent: { system_prompt: '', tone: '', memory: '', tools: [] },
}

const prefix = 'assay-agent-draft'
const toKey = (userId: string, projectId: string) => `${prefix} ${userId} ${projectId}`

const drafts = new Map<string, AgentDraft>()
const listeners = new Set<() => void>()

export function useAgentDraft(userId: string, projectId: string): AgentDraft {
  return useSyncExternalStore(subscribe, () => readDraft(toKey(userId, projectId)))
}

/** Returns false if the browser cannot store it: the draft is then lost on a reload. */
export function saveAgentDraft(userId: string, projectId: string, draft: AgentDraft): boolean {
  const key = toKey(userId, projectId)
  drafts.set(key, draft)
  notify()
  try {
    if (draft === emptyDraft) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    removeStored(key)
    return false
  }
}

/** Removes the drafts of everybody on sign-out. */
export function forgetAgentDrafts(): void {
  drafts.clear()
  for (const key of storedKeys()) removeStored(key)
  notify()
}

function readDraft(key: string): AgentDraft {
  const known = drafts.get(key)
  if (known !== undefined) return known
  const draft = parseDraft(readStored(key))
  drafts.set(key, draft)
  return draft
}

function parseDraft(text: string | null): AgentDraft {
  if (text === null) return emptyDraft
  try {
    return draftSchema.safeParse(JSON.parse(text)).data ?? emptyDraft
  } catch {
    return emptyDraft
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', followOtherTabs)
  return () => listeners.delete(listener)
}

function followOtherTabs({ key }: StorageEvent): void {
  if (key === null) drafts.clear()
  else if (!drafts.delete(key)) return
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
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
