import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import type { Icon } from '@tabler/icons-react'

interface Props {
  readonly projectId: string
  readonly Icon: Icon
  /** The plural noun of the data. */
  readonly noun: 'logs' | 'metrics'
}

/** The empty state of data that arrives over OTLP. */
export function NoDataYet({ projectId, Icon: DataIcon, noun }: Props) {
  return (
    <EmptyState
      icon={<DataIcon size={20} stroke={1.75} />}
      title={`No ${noun} yet`}
      actions={
        <LinkButton to="/p/$projectId/send" params={{ projectId }}>
          Setup instructions
        </LinkButton>
      }
    >
      Send {noun} with any OpenTelemetry exporter, using the same key as for traces.
    </EmptyState>
  )
}
