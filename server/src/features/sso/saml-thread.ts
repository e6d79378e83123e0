import { parentPort } from 'node:worker_threads'
import { serveCalls } from '../../platform/deadline-thread.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'
import { verifySamlResponse } from './saml.ts'
import { decodeResponse } from './saml-text.ts'
import type { SamlOutcome, SamlTask } from './saml-verifier.ts'
import { SignInRefused } from './sign-in-refused.ts'

/*
 * The entry point of the thread that verifies SAML responses.
 */

if (parentPort === null) throw new Error('saml-thread.ts starts a thread, not a process.')

runBelowMainThread()
serveCalls(
  parentPort,
  async ({ exchange, encodedResponse, now }: SamlTask): Promise<SamlOutcome> => {
    try {
      const xml = decodeResponse(encodedResponse)
      return { assertion: await verifySamlResponse(exchange, xml, now) }
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return { problem: error.problem, reason: error.message }
    }
  },
)
