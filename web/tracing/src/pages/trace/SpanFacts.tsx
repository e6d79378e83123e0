import type { ListedSpan } from '@assay/contract/traces.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { toKind } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import { FilterLink } from '../../parts/FilterLink.tsx'
import styles from './span.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly span: ListedSpan
  /** It was sent without an end. */
  readonly isOpen: boolean
  /** The number of failed descendants. */
  readonly errorsBelow: number
  /** The call within that counts in its place. */
  readonly innerCallId: string | undefined
}

export function SpanFacts(props: Props) {
  const { projectId, traceId, span, isOpen, errorsBelow, innerCallId } = props
  const isError = span.status === 'ERROR'
  const countedId = span.repeats_span_id ?? innerCallId
  return (
    <>
      <div className={styles.head}>
        <KindIcon kind={span.kind} sizePx={18} />
        <h2 className={styles.name}>{span.name}</h2>
        <StatusMark isError={isError} word={isError ? 'Error' : 'OK'} />
        {!isError && errorsBelow > 0 && (
          <span className={styles.below}>{countOf(errorsBelow, 'error')} below</span>
        )}
      </div>
      <dl className={styles.facts}>
        <Fact name="Kind">
          <Filter projectId={projectId} name="kind" search={{ kind: span.kind }}>
            {toKind(span.kind).label}
          </Filter>
        </Fact>
        {span.model !== null && (
          <Fact name="Model">
            <Filter projectId={projectId} name="model" search={{ model: span.model }}>
              <code>{span.model}</code>
            </Filter>
          </Fact>
        )}
        <Fact name="Duration">{isOpen ? 'No end reported' : formatDuration(span.latency_ms)}</Fact>
        <Fact name="Started">
          <TimeText at={span.started_at} />
        </Fact>
        <Tokens span={span} />
        {(span.cost_usd !== null || span.model !== null) && (
          <Fact name="Cost">
            <CostText usd={span.cost_usd} />
            <span className="dimmed">{costSources[span.cost_source]}</span>
          </Fact>
        )}
        {countedId !== undefined && (
          <Fact name="Not counted">
            {span.repeats_span_id === null ? 'counted in' : 'the same call as'}
            <Link
              to="/p/$projectId/traces/$traceId"
              params={{ projectId, traceId }}
              search={{ span: countedId }}
            >
              span {countedId}
            </Link>
          </Fact>
        )}
        {span.service !== null && (
          <Fact name="Service">
            <Filter projectId={projectId} name="service" search={{ service: span.service }}>
              {span.service}
            </Filter>
          </Fact>
        )}
        {span.sdk !== null && <Fact name="SDK">{span.sdk}</Fact>}
        {span.session_id !== null && (
          <Fact name="Session">
            <Filter projectId={projectId} name="session" search={{ session_id: span.session_id }}>
              {span.session_id}
            </Filter>
          </Fact>
        )}
        {span.user_id !== null && (
          <Fact name="User">
            <Filter projectId={projectId} name="user" search={{ user_id: span.user_id }}>
              {span.user_id}
            </Filter>
          </Fact>
        )}
        {span.response_id !== null && (
          <Fact name="Response ID">
            <code>{span.response_id}</code>
          </Fact>
        )}
        <Fact name="Span ID">
          <code>{span.span_id}</code>
          <CopyButton text={span.span_id} label="Copy span ID" />
        </Fact>
      </dl>
    </>
  )
}

/** A simulated trace has spans, too: the list has both modes. */
function Filter({ search, ...rest }: ComponentProps<typeof FilterLink>) {
  return <FilterLink search={{ ...search, mode: 'all' }} {...rest} />
}

const costSources = {
  reported: 'reported by the client',
  priced: 'calculated from the price list',
  unknown: 'unknown',
} as const

/** Cache reads and writes are part of the input, reasoning is part of the output. */
function Tokens({ span }: Pick<Props, 'span'>) {
  const { tokens_in, tokens_out } = span
  if (tokens_in === null && tokens_out === null) return null
  return (
    <>
      <Fact name="Input tokens">
        {counted(tokens_in)}
        <Within
          counts={[
            [span.tokens_cache_read, 'cache read'],
            [span.tokens_cache_write, 'cache write'],
          ]}
        />
      </Fact>
      <Fact name="Output tokens">
        {counted(tokens_out)}
        <Within counts={[[span.tokens_reasoning, 'reasoning']]} />
      </Fact>
    </>
  )
}

interface WithinProps {
  readonly counts: readonly (readonly [number | null, string])[]
}

function Within({ counts }: WithinProps) {
  const parts = counts.flatMap(([count, word]) =>
    count === null || count === 0 ? [] : [`${formatCount(count)} ${word}`],
  )
  return parts.length > 0 && <span className="dimmed">incl. {parts.join(', ')}</span>
}

function counted(count: number | null): string {
  return count === null ? '—' : formatCount(count)
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
