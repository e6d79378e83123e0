import { useNearViewport } from '@assay/ui/use-near-viewport.ts'
import { useQuery } from '@tanstack/react-query'
import { traceExcerptQuery } from '../api/trace-excerpts.ts'
import styles from './trace-excerpt.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
}

/** The question and the answer of a trace, fetched when it comes near the viewport. Empty for a trace without. */
export function TraceExcerpt({ projectId, traceId }: Props) {
  const { place, isNearViewport } = useNearViewport<HTMLSpanElement>()
  const { data } = useQuery({ ...traceExcerptQuery(projectId, traceId), enabled: isNearViewport })
  return (
    <span ref={place} className={styles.excerpt}>
      {data?.question && <span className={styles.line}>{data.question}</span>}
      {data?.answer && <span className={`${styles.line} dimmed`}>{data.answer}</span>}
    </span>
  )
}
