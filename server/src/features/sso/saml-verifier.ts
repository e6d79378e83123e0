import { limits } from '@assay/contract/limits.ts'
import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'
import { openDeadlineProcess } from '../../platform/deadline-process.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import type { Waiter } from '../../platform/requester.ts'
import type { SamlAssertion, SamlExchange } from './saml.ts'
import { SignInRefused } from './sign-in-refused.ts'

/*
 * Verifies SAML responses in a process of their own. Anybody can post one, and the libraries may take long for a
 * response within the limits: the event loop does not wait for it, client networks take turns, and a turn takes a few
 * seconds at most. Whoever knows an organization's domain can post responses for it, so a network has a part of its places.
 */

export interface SamlVerifier {
  /**
   * The asserted identity, if the response belongs to this exchange. Throws `SignInRefused`: `unavailable` if too many
   * responses are waiting or this one takes too long.
   */
  verify(
    exchange: SamlExchange,
    encodedResponse: string,
    now: Date,
    client: Waiter,
  ): Promise<SamlAssertion>
  close(): Promise<void>
}

export interface SamlVerifierOptions {
  readonly log: Log
  readonly deadlineMs?: number
  /** The module that the process starts with. */
  readonly module?: URL
}

/** To and from the process. */
export interface SamlTask {
  readonly exchange: SamlExchange
  readonly encodedResponse: string
  readonly now: Date
}

export type SamlOutcome =
  | { readonly assertion: SamlAssertion }
  | { readonly problem: SignInProblem; readonly reason: string }

const verifierModule = new URL('./saml-process.ts', import.meta.url)

/** The largest response takes a few; the process also holds the libraries. */
const maxHeapMb = 256

/** The libraries take tens of megabytes, and people sign in seldom. */
const idleMs = 60_000

export function openSamlVerifier({
  log,
  deadlineMs = limits.samlSeconds.value * 1000,
  module = verifierModule,
}: SamlVerifierOptions): SamlVerifier {
  const child = openDeadlineProcess<SamlTask, SamlOutcome>({
    ...{ module, deadlineMs, idleMs, maxHeapMb, log },
    name: 'SAML verifier',
  })
  // Each counts as one: the cost does not follow from the size. The network counts as the user.
  const budget = openMemberBudget({
    total: limits.samlResponses.value,
    ofOrganization: limits.samlResponsesOfOrganization.value,
    ofUser: limits.samlResponsesOfNetwork.value,
    refusal: 'Too many SAML responses are waiting.',
  })

  async function runInProcess(task: SamlTask, client: Waiter): Promise<SamlOutcome> {
    const { organization_id: organizationId } = task.exchange.config
    const release = budget.take([organizationId, client.owner])
    return await child.run(client, task).finally(release)
  }
  return {
    async verify(exchange, encodedResponse, now, client) {
      const task = { exchange, encodedResponse, now }
      const outcome = await runInProcess(task, client).catch(refuseAsUnavailable)
      if ('assertion' in outcome) return outcome.assertion
      throw new SignInRefused(outcome.problem, outcome.reason)
    },
    close: () => child.close(),
  }
}

function refuseAsUnavailable(error: unknown): never {
  if (!(error instanceof Unavailable)) throw error
  throw new SignInRefused('unavailable', error.message, { cause: error })
}
