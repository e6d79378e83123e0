import { sessionQuery } from '@assay/account/api/session.ts'
import type { ReviewItem, ReviewQueue } from '@assay/contract/review-queues.ts'
import type { Score } from '@assay/contract/scores.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button, Kbd, Textarea } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type OpenedReview, useOpenNextReview, useReviewTrace } from '../../api/review-queues.ts'
import { peopleScoresQuery } from '../../api/scores.ts'
import { useProject } from '../../shell/use-project.ts'
import { EvaluatorResult } from './EvaluatorResult.tsx'
import { GivenScores } from './GivenScores.tsx'
import styles from './review.module.css'
import {
  judge,
  type ReviewDraft,
  rate,
  steps,
  toDraft,
  toReviewBody,
  toStepScore,
} from './review-draft.ts'
import { useReviewKeys } from './use-review-keys.ts'

interface Props {
  readonly queue: ReviewQueue
  readonly item: ReviewItem
  readonly onOpened: (next: OpenedReview) => void
  readonly onPrevious: () => void
}

/** Scores a trace by keyboard or with buttons, and opens the next one. */
export function ReviewForm({ queue, item, onOpened, onPrevious }: Props) {
  const { project } = useProject()
  const { data: session } = useQuery(sessionQuery)
  const isRemoved = item.trace === null
  const people = useInfiniteQuery({
    ...peopleScoresQuery(project.id, item.trace_id),
    enabled: !isRemoved,
  })
  const given = (people.data ?? []).filter((score) => isOfQueue(score, queue))
  const own = given.find(({ author_id }) => author_id === session?.user.id)
  const [changed, setChanged] = useState<ReviewDraft>()
  const draft = changed ?? toDraft(own)
  const saving = useReviewTrace(project.id, queue.id, item.trace_id)
  const opening = useOpenNextReview(project.id, queue.id)
  const save = useSingleFlight(saving)
  const openNext = useSingleFlight(opening)
  const comment = useRef<HTMLTextAreaElement>(null)
  const body = toReviewBody(draft, item.position)
  const onSave = () => body !== undefined && !isRemoved && save(body, onOpened)
  const [isLast, setLast] = useState(false)
  const onNext = () =>
    openNext(item.position, (next) =>
      next.item?.position === item.position ? setLast(true) : onOpened(next),
    )

  useReviewKeys({
    onStep: (step) => setChanged(rate(draft, step)),
    onVerdict: (passed) => setChanged(judge(draft, passed)),
    onComment: () => comment.current?.focus(),
    ...{ onSave, onNext, onPrevious },
  })
  return (
    <section className={styles.form} aria-label="Your score">
      <h2 className={styles.name}>{queue.score_name}</h2>
      {queue.instructions !== '' && <p className={styles.instructions}>{queue.instructions}</p>}
      <Notes item={item} ownId={session?.user.id} />
      {!isRemoved && (
        <>
          <ScoreInputs draft={draft} onChange={setChanged} />
          <Textarea
            ref={comment}
            label={<KeyLabel text="Comment" keys="C" />}
            autosize
            minRows={3}
            maxRows={10}
            value={draft.reasoning}
            onChange={({ currentTarget }) =>
              setChanged({ ...draft, reasoning: currentTarget.value })
            }
            onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
          />
          <Button loading={saving.isPending} disabled={body === undefined} onClick={onSave}>
            <KeyLabel text="Save and open next" keys="Enter" />
          </Button>
        </>
      )}
      <FormError message={(saving.error ?? opening.error ?? people.error)?.message} />
      {isLast && (
        <p className={styles.note} role="status">
          No other trace is left for you.
        </p>
      )}
      <div className={styles.steps}>
        <Button variant="default" size="xs" disabled={item.position === 1} onClick={onPrevious}>
          <KeyLabel text="Previous" keys="[" />
        </Button>
        <Button variant="default" size="xs" loading={opening.isPending} onClick={onNext}>
          <KeyLabel text={isRemoved ? 'Next' : 'Skip'} keys="]" />
        </Button>
      </div>
      <GivenScores scores={given} ownId={session?.user.id} />
      {queue.evaluator_id !== null && !isRemoved && (
        <EvaluatorResult evaluatorId={queue.evaluator_id} traceId={item.trace_id} />
      )}
    </section>
  )
}

function isOfQueue(score: Score, { evaluator_id, score_name }: ReviewQueue): boolean {
  if (score.span_id !== null || score.evaluator_id !== evaluator_id) return false
  return evaluator_id !== null || score.name === score_name
}

/** Who else works on the trace. */
function Notes({ item, ownId }: Pick<Props, 'item'> & { readonly ownId: string | undefined }) {
  if (item.held_by_name !== null) {
    return (
      <p className={styles.note} role="status">
        {item.held_by_name} is reviewing this trace now.
      </p>
    )
  }
  if (item.status !== 'reviewed') return null
  return (
    <p className={styles.note}>
      {item.reviewed_by === ownId
        ? 'You have reviewed this trace.'
        : `Reviewed by ${item.reviewed_by_name ?? 'a former member'}. Your score is stored beside theirs.`}
    </p>
  )
}

interface InputsProps {
  readonly draft: ReviewDraft
  readonly onChange: (draft: ReviewDraft) => void
}

function ScoreInputs({ draft, onChange }: InputsProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line */}
      <div role="group" aria-label="Score" className={styles.choice}>
        {steps.map((step) => (
          <Button
            key={step}
            variant={draft.score === toStepScore(step) ? 'filled' : 'default'}
            aria-pressed={draft.score === toStepScore(step)}
            aria-label={`${step} of ${steps.length}`}
            onClick={() => onChange(rate(draft, step))}
          >
            {step}
          </Button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line */}
      <div role="group" aria-label="Verdict" className={styles.choice}>
        {[true, false].map((passed) => (
          <Button
            key={String(passed)}
            variant={draft.passed === passed ? 'filled' : 'default'}
            aria-pressed={draft.passed === passed}
            onClick={() => onChange(judge(draft, passed))}
          >
            <KeyLabel text={passed ? 'Pass' : 'Fail'} keys={passed ? 'P' : 'F'} />
          </Button>
        ))}
      </div>
    </>
  )
}

function KeyLabel({ text, keys }: { readonly text: string; readonly keys: string }) {
  return (
    <span className={styles.label}>
      {text}{' '}
      <Kbd className={styles.key ?? ''} aria-hidden>
        {keys}
      </Kbd>
    </span>
  )
}
