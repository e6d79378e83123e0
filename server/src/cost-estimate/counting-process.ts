import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { serveCalls } from '../platform/deadline-process.ts'
import { runBelowMainThread } from '../platform/thread-priority.ts'
import { countAgent } from './count-agent.ts'

/*
 * The entry point of the process that counts tokens: the vocabulary is large, and counting a megabyte takes a tenth of a
 * second.
 */

runBelowMainThread()
serveCalls(async (agent: AgentConfig) => countAgent(agent))
