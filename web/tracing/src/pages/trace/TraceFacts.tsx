import type { Trace } from '@assay/contract/traces.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Fragment, type ReactNode } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import { FilterLink } from '../../parts/FilterLink.tsx'
import linkStyles from '../../parts/filter-link.module.css'
import { toListSearch } from '../../parts/trace-mode.ts'
import { isRunning } from '../../parts/trace-progress.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'
import styles from './trace.module.css'
import { useConversationLink } from './use-conversation-link.ts'

interface Props {
  readonly trace: Trace
}

/** What is known of the trace as a whole. */
export function TraceFacts({ trace }: Props) {
  const runs = isRunning(trace, useNow(10_000))
  return (
    <dl className={styles.facts}>
      <Fact name="Started">
        <TimeText at={trace.started_at} withAge />
      </Fact>
      <Fact name="Duration">
        {formatDuration(trace.duration_ms)}
        {runs && ' so far'}
      </Fact>
      {!runs && trace.unfinished !== null && (
        <Fact name="Root span">
          {trace.unfinished === 'root_open' ? 'No end reported' : 'Not received'}
        </Fact>
      )}
      <Fact name="Spans">
        {formatCount(trace.span_count)}
        {trace.error_count > 0 && (
          <span className={styles.bad}> · {countOf(trace.error_count, 'error')}</span>
        )}
      </Fact>
      <Fact name="LLM calls">{formatCount(trace.llm_call_count)}</Fact>
      <Fact name="Tool calls">{formatCount(trace.tool_call_count)}</Fact>
      <Fact name="Tokens">
        <span
          title={`${formatCount(trace.tokens_in)} input, ${formatCount(trace.tokens_out)} output`}
        >
          {trace.tokens_in + trace.tokens_out === 0
            ? '0'
            : `${formatTokens(trace.tokens_in)} → ${formatTokens(trace.tokens_out)}`}
        </span>
      </Fact>
      <Fact name="Cost">
        <CostText usd={trace.cost_usd} calls={trace} />
      </Fact>
      <Labels trace={trace} />
      <Fact name="Trace ID">
        <code className={styles.id}>{trace.trace_id}</code>
        <CopyButton text={trace.trace_id} label="Copy trace ID" />
      </Fact>
    </dl>
  )
}

/** The labels of the trace; those with a filter link to the trace list. */
function Labels({ trace }: Props) {
  const { models, environment, session_id, user_id, service, sdk, tags } = trace
  const conversation = useConversationLink(trace)
  return (
    <>
      {models.length > 0 && (
        <Fact name="Models">
          <span>
            {models.map((model, at) => (
              <Fragment key={model}>
                {at > 0 && ', '}
                <Filter trace={trace} name="model" search={{ model }}>
                  {model}
                </Filter>
              </Fragment>
            ))}
          </span>
        </Fact>
      )}
      {environment !== null && (
        <Fact name="Environment">
          <Filter trace={trace} name="environment" search={{ environment }}>
            {environment}
          </Filter>
        </Fact>
      )}
      {session_id !== null && (
        <Fact name="Session">
          <Filter trace={trace} name="session" search={{ session_id }}>
            {session_id}
          </Filter>
        </Fact>
      )}
      {conversation !== undefined && (
        <Fact name="Conversation">
          <a href={conversation} className={linkStyles.link}>
            Open in Assay Chat
          </a>
        </Fact>
      )}
      {user_id !== null && (
        <Fact name="User">
          <Filter trace={trace} name="user" search={{ user_id }}>
            {user_id}
          </Filter>
        </Fact>
      )}
      {service !== null && (
        <Fact name="Service">
          <Filter trace={trace} name="service" search={{ service }}>
            {service}
          </Filter>
        </Fact>
      )}
      {sdk !== null && <Fact name="SDK">{sdk}</Fact>}
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map((tag) => (
            <span key={tag} className={styles.tag}>
              <Filter trace={trace} name="tag" search={{ tag: [tag] }}>
                {tag}
              </Filter>
            </span>
          ))}
        </Fact>
      )}
    </>
  )
}

interface FilterProps extends Props {
  readonly name: string
  readonly search: TraceSearch
  readonly children: string
}

function Filter({ trace, name, search, children }: FilterProps) {
  return (
    <FilterLink
      projectId={trace.project_id}
      search={{ ...search, ...toListSearch(trace) }}
      name={name}
    >
      {children}
    </FilterLink>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
