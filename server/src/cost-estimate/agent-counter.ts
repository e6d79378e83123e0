import { createHash } from 'node:crypto'
import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { openDeadlineProcess } from '../platform/deadline-process.ts'
import type { Log } from '../platform/log.ts'
import { openMemberBudget } from '../platform/member-budget.ts'
import { setNewest } from '../platform/recent-entries.ts'
import type { Requester } from '../platform/requester.ts'
import type { AgentCounts } from './agent-counts.ts'

/*
 * Counts the tokens of agents in a process of its own, which starts with the first request and ends when it is idle.
 */

export interface AgentCounter {
  /** Rejects with Unavailable when too many wait, and with the reason of the signal when the caller aborts. */
  count(requester: Requester, agent: AgentConfig, signal: AbortSignal): Promise<AgentCounts>
  close(): Promise<void>
}

const idleMs = 60_000
const maxHeapMb = 512
/** Estimates of one agent with other volumes or models come in a row. */
const rememberedMax = 500

export function openAgentCounter(log: Log): AgentCounter {
  const child = openDeadlineProcess<AgentConfig, AgentCounts>({
    module: new URL('./counting-process.ts', import.meta.url),
    deadlineMs: limits.agentCountSeconds.value * 1000,
    ...{ name: 'token counter', idleMs, maxHeapMb, log },
  })
  const budget = openMemberBudget({
    total: limits.countedAgents.value,
    ofOrganization: limits.countedAgentsOfOrganization.value,
    ofUser: limits.countedAgentsOfUser.value,
    refusal: 'Too many estimates wait. Try again shortly.',
  })
  const remembered = new Map<string, AgentCounts>()
  return {
    async count(requester, agent, signal) {
      const [owner] = requester
      // Per organization, so that the time of an estimate reveals nothing about the agents of others.
      const key = createHash('sha256')
        .update(JSON.stringify([owner, agent]))
        .digest('base64')
      const known = remembered.get(key)
      if (known !== undefined) return known
      const release = budget.take(requester)
      const counts = await child.run({ owner, signal }, agent).finally(release)
      setNewest(remembered, key, counts, rememberedMax)
      return counts
    },
    close: () => child.close(),
  }
}
