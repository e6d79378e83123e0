import form from '@assay/account/form/form.module.css'
import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { earlierLikeQuery } from '../../api/trace-neighbors.ts'
import { checkTrace } from '../../api/traces.ts'
import styles from './trace.module.css'

interface Props {
  readonly trace: Trace
  readonly isOpen: boolean
  readonly onClose: () => void
}

const offered = 6

/** Chooses the trace to compare with: an earlier one of the same name, or any by its ID. */
export function CompareDialog({ trace, isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Compare with another trace">
      <Choice trace={trace} />
    </Modal>
  )
}

function Choice({ trace }: { readonly trace: Trace }) {
  const navigate = useNavigate()
  const query = useQuery(earlierLikeQuery(trace, offered))
  const [typed, setTyped] = useState('')
  const { project_id: projectId, trace_id: traceId } = trace
  const other = typed.trim()
  const open = useMutation({
    mutationFn: () => checkTrace(projectId, other),
    onSuccess: () =>
      navigate({
        to: '/p/$projectId/compare',
        params: { projectId },
        search: { a: other, b: traceId },
      }),
  })
  return (
    <div className={form.fields}>
      {query.isPending && <TableSkeleton rows={3} rowHeightPx={30} />}
      <FormError message={query.error?.message} />
      {query.data?.length === 0 && <p className="dimmed">No earlier traces with this name.</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <>
          <p className="dimmed">Earlier traces with this name, newest first:</p>
          <ul className={styles.choices}>
            {query.data.map((one) => (
              <li key={one.trace_id}>
                <Link
                  to="/p/$projectId/compare"
                  params={{ projectId }}
                  search={{ a: one.trace_id, b: traceId }}
                  className={styles.choice}
                >
                  <span>
                    <TimeText at={one.started_at} withAge />
                  </span>
                  <span className="dimmed">
                    {formatDuration(one.duration_ms)}, {formatCount(one.span_count)} spans
                    {one.status === 'ERROR' && ', error'}
                  </span>
                  <span className="dimmed">{describeCandidate(one)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <form
        className={form.fields}
        onSubmit={(event) => {
          event.preventDefault()
          if (other !== '' && !open.isPending) open.mutate()
        }}
      >
        <TextInput
          label="Or enter a trace ID from this project"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={open.error?.message}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            open.reset()
          }}
        />
        <div className={form.buttons}>
          <Button type="submit" disabled={other === ''} loading={open.isPending}>
            Compare
          </Button>
        </div>
      </form>
    </div>
  )
}

/** `gpt-5, 2 of 3 scores passed`. */
function describeCandidate({ models, scores }: Trace): string {
  const scored = scores !== undefined && scores.scored > 0
  const passed =
    scored && `${formatCount(scores.passed)} of ${countOf(scores.scored, 'score')} passed`
  return [models.join(', '), passed].filter(Boolean).join(', ')
}
