import type { Trace } from '@assay/contract/traces.ts'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { findListOf } from '../../parts/last-list.ts'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import type { SpanTree } from '../../spans/span-tree.ts'
import { DownloadLine } from './DownloadLine.tsx'
import { FoldedFacts } from './FoldedFacts.tsx'
import { ListSteps } from './ListSteps.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { TraceFacts } from './TraceFacts.tsx'
import { TraceMenu } from './TraceMenu.tsx'
import styles from './trace.module.css'
import { useTraceDownload } from './use-trace-download.ts'

interface Props {
  readonly trace: Trace
  readonly tree: SpanTree
}

export function TraceHeader({ trace, tree }: Props) {
  const download = useTraceDownload(trace)
  const isNarrow = useMediaQuery('(width < 600px)', false, { getInitialValueInEffect: false })
  return (
    <>
      <header className={styles.header}>
        <div className={styles.titleRow}>
          <Link
            to="/p/$projectId/traces"
            params={{ projectId: trace.project_id }}
            search={findListOf(trace)}
            className={styles.back}
          >
            <IconChevronLeft size={15} aria-hidden />
            Traces
          </Link>
          <h1 className={styles.title}>
            {trace.root_name === '' ? trace.trace_id : trace.root_name}
          </h1>
          <Status trace={trace} tree={tree} />
          <div className={styles.actions}>
            <ListSteps trace={trace} />
            <SessionSteps trace={trace} />
            <TraceMenu trace={trace} onDownload={download.start} />
          </div>
        </div>
        {isNarrow ? <FoldedFacts trace={trace} /> : <TraceFacts trace={trace} />}
      </header>
      <DownloadLine download={download} spanTotal={trace.span_count} />
    </>
  )
}

const route = getRouteApi('/signed-in/p/$projectId/traces/$traceId')

/** An error links to the first span that failed, which the selected root need not be. */
function Status({ trace, tree }: Props) {
  const failed = useMemo(() => {
    const at = tree.order.find((one) => tree.nodes[one]?.span.status === 'ERROR')
    return tree.nodes[at ?? -1]?.span.span_id
  }, [tree])
  if (trace.status !== 'ERROR' || failed === undefined) return <TraceStatus trace={trace} />
  return (
    <route.Link
      search={(before) => ({ ...before, span: failed })}
      className={styles.status}
      title="Go to the first error"
    >
      <TraceStatus trace={trace} />
    </route.Link>
  )
}
