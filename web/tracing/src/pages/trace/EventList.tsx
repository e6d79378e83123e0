import { isFields } from '@assay/contract/message-parts.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { formatDuration, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { memo } from 'react'
import { Body } from '../../conversation/Body.tsx'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import styles from './span.module.css'

interface Props {
  readonly events: readonly unknown[]
  readonly startedAt: string
}

const eventsFirst = 20
/** Each may have a table: more at once would block the page. */
const eventsMore = 10

/** The events of a span, with stack traces of exceptions. */
export function EventList({ events, startedAt }: Props) {
  const reveal = useReveal(events.length, eventsFirst, eventsMore)
  return (
    <>
      <ol className={styles.events}>
        {events.slice(0, reveal.count).map((event, at) => (
          // Events have no IDs and are never reordered.
          <li key={at} className={styles.event}>
            {isFields(event) ? (
              <EventView event={event} startedAt={startedAt} />
            ) : (
              <Body value={event} label="event" />
            )}
          </li>
        ))}
      </ol>
      <RevealMore reveal={reveal} noun="events" />
    </>
  )
}

interface EventProps {
  readonly event: Readonly<Record<string, unknown>>
  readonly startedAt: string
}

const EventView = memo(({ event, startedAt }: EventProps) => {
  const { name, time, attributes, ...rest } = event
  const knownAttributes = isFields(attributes) ? attributes : {}
  const others = { ...knownAttributes, ...rest }
  const trace = knownAttributes['exception.stacktrace']
  const { 'exception.stacktrace': _, ...withoutTrace } = others
  return (
    <>
      <div className={styles.eventHead}>
        <strong>{typeof name === 'string' ? name : 'Event'}</strong>
        {typeof time === 'string' && (
          <time dateTime={time} title={formatUtc(time)} className="dimmed">
            {offset(time, startedAt)}
          </time>
        )}
      </div>
      {Object.keys(withoutTrace).length > 0 && (
        <AttributeTable attributes={withoutTrace} label="event attributes" />
      )}
      {typeof trace === 'string' && (
        <div className={styles.stack}>
          <div className={styles.stackCopy}>
            <CopyButton text={trace} label="Copy stack trace" />
          </div>
          <LongText text={trace} maxCharacters={6000} />
        </div>
      )}
    </>
  )
})

function offset(time: string, startedAt: string): string {
  const afterMs = instantMs(time) - instantMs(startedAt)
  if (Number.isNaN(afterMs)) return time
  return `${formatDuration(Math.abs(afterMs))} ${afterMs < 0 ? 'before' : 'after'} start`
}
