import { serveCalls } from '../../platform/deadline-process.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'
import { verifySamlResponse } from './saml.ts'
import { decodeResponse } from './saml-text.ts'
import type { SamlOutcome, SamlTask } from './saml-verifier.ts'
import { SignInRefused } from './sign-in-refused.ts'

/*
 * The entry point of the process that verifies SAML responses.
 */

runBelowMainThread()
serveCalls(async ({ exchange, encodedResponse, now }: SamlTask): Promise<SamlOutcome> => {
  try {
    const xml = decodeResponse(encodedResponse)
    return { assertion: await verifySamlResponse(exchange, xml, now) }
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    return { problem: error.problem, reason: error.message }
  }
})
