import { isFields } from '@assay/contract/message-parts.ts'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { Link } from '@tanstack/react-router'
import { Body } from '../../conversation/Body.tsx'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import styles from './span.module.css'

interface Props {
  readonly projectId: string
  readonly links: readonly unknown[]
}

const linksAtOnce = 50

/** The span links, to this trace or another. */
export function LinkList({ projectId, links }: Props) {
  const reveal = useReveal(links.length, linksAtOnce, linksAtOnce)
  return (
    <>
      <ol className={styles.events}>
        {links.slice(0, reveal.count).map((link, at) => (
          // Links have no IDs and are never reordered.
          <li key={at} className={styles.event}>
            {isFields(link) && typeof link['trace_id'] === 'string' ? (
              <>
                <Link
                  to="/p/$projectId/traces/$traceId"
                  params={{ projectId, traceId: link['trace_id'] }}
                  search={typeof link['span_id'] === 'string' ? { span: link['span_id'] } : {}}
                  className="mono"
                >
                  {link['trace_id']}
                </Link>
                {isFields(link['attributes']) && Object.keys(link['attributes']).length > 0 && (
                  <AttributeTable attributes={link['attributes']} label="link attributes" />
                )}
              </>
            ) : (
              <Body value={link} label="link" />
            )}
          </li>
        ))}
      </ol>
      <RevealMore reveal={reveal} noun="links" />
    </>
  )
}
