import type { DisagreementKind } from '@assay/contract/score-agreement.ts'
import type { VerdictCounts } from '../../../domain/agreement.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import type { Trace } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * Verdicts of evaluators beside those of people, matched by trace and evaluator id. Only `scored` scores count.
 *
 * The verdict of an evaluator is its newest score of the trace, by (createdAt, id). The verdict of people is that of the
 * majority of them, with one vote each; with as many passes as fails it is a tie, which is neither agreement nor
 * disagreement. The time range chooses the traces: those that a person scored in it. Their verdicts are over all
 * scores of the trace, whenever they were given.
 */
export interface ScoreAgreement {
  readAgreement(
    projectId: string,
    query: AgreementQuery,
    options?: ReadOptions,
  ): Promise<AgreementPage>

  /**
   * The traces on which an evaluator and people disagree, or those with a tie and a verdict of the evaluator, as the
   * query asks. That with the newest score of a person comes first. Examines at
   * least `scanLimit` scores of people: a page that ends there has fewer traces, maybe none, and `next` to continue
   * from there.
   */
  listDisagreements(
    projectId: string,
    query: DisagreementQuery,
    options?: ReadOptions,
  ): Promise<DisagreementPage>
}

export interface AgreementQuery {
  /** Scored by a person at this instant or later. */
  readonly from: Instant
  /** Scored by a person before this instant. */
  readonly to: Instant
  /** Only the newest `scanLimit` scores of people are counted. */
  readonly scanLimit: number
}

export interface AgreementPage {
  /** At most `limits.agreementEvaluators`, those with the most traces first. */
  readonly evaluators: readonly EvaluatorAgreement[]
  /** All scores that people gave at or after this instant are counted. */
  readonly coverageStart: Instant
}

export interface EvaluatorAgreement extends VerdictCounts {
  readonly evaluatorId: string
  /** The name of the newest score that a person gave. */
  readonly name: string
  readonly ties: number
}

export interface DisagreementQuery extends AgreementQuery {
  readonly evaluatorId: string
  readonly kind: DisagreementKind
  readonly limit: number
  readonly after?: Position
}

export interface DisagreementPage {
  readonly disagreements: readonly Disagreement[]
  /** Undefined on the last page. */
  readonly next: Position | undefined
  /** False when the scan limit ended the page early. */
  readonly isComplete: boolean
}

export interface Disagreement {
  readonly trace: Trace
  readonly evaluator: Score
  /** At most `limits.disagreementScores`, newest first. */
  readonly people: readonly Score[]
  readonly peoplePassed: number
  readonly peopleFailed: number
}
