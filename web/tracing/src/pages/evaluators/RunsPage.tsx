import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionsQuery, useCollectionName } from '../../api/evaluations.ts'
import { isActive, jobsQuery, useCancelJob } from '../../api/jobs.ts'
import { membersQuery } from '../../api/members.ts'
import { formatTimeLeft } from '../../evaluation/run-estimate.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { RunningJob } from '../../page/RunningJob.tsx'
import { useProject } from '../../shell/use-project.ts'
import { RunDetails } from './RunDetails.tsx'
import { runColumns } from './run-columns.tsx'
import { formatResults, formatUncounted } from './run-format.ts'

/** The evaluations of many traces, with the progress of the active one. */
export function RunsPage() {
  const current = useProject()
  const { organization, project, can } = current
  const jobs = useQuery(jobsQuery(project.id, 'evaluation'))
  const { data: collections } = useQuery(collectionsQuery(organization.id))
  const { data: members } = useQuery(membersQuery(organization.id))
  const collectionName = useCollectionName(organization.id)
  const [openId, setOpenId] = useState<string>()
  const canceling = useDialog<EvaluationJob>()
  const active = jobs.data?.find(isActive)
  const collectionOf = ({ details }: EvaluationJob) =>
    collections?.find(({ id }) => id === details.collection_id)
  return (
    <ListPage
      title="Evaluation runs"
      lead="Evaluations of many traces, newest first. To start one, filter the list of traces and choose Evaluate in the menu at its top right. A row opens the failures by evaluator. Finished runs are listed for 30 days."
      note={
        <>
          <PermissionNote access={current} needs="run_agents" to="evaluate traces" />
          {active !== undefined && (
            <RunningJob
              label="Evaluation"
              activity={`Running ${collectionName(active.details.collection_id)}`}
              progress={active.progress}
              uncounted={formatUncounted(active)}
              onCancel={can('run_agents') ? () => canceling.open(active) : undefined}
            >
              {formatTimeLeft(active, jobs.dataUpdatedAt)} {formatResults(active)} It continues when
              you leave this page.
            </RunningJob>
          )}
        </>
      }
      action={
        can('run_agents') && (
          <LinkButton
            variant="default"
            to="/p/$projectId/traces"
            params={{ projectId: project.id }}
          >
            Choose traces
          </LinkButton>
        )
      }
      isWide
      rows={jobs}
      columns={runColumns({
        projectId: project.id,
        collectionOf,
        collectionName: ({ details }) => collectionName(details.collection_id),
        personName: (id) =>
          members?.find(({ user_id }) => user_id === id)?.name ??
          (members === undefined ? '' : 'Not a member'),
      })}
      rowKey={({ id }) => id}
      rowName={({ details }) => collectionName(details.collection_id)}
      isRowClickable
      details={{
        isOpen: ({ id }) => id === openId,
        onToggle: ({ id }) => setOpenId(id === openId ? undefined : id),
        render: (job) => (
          <RunDetails
            orgId={organization.id}
            projectId={project.id}
            job={job}
            collection={collectionOf(job)}
          />
        ),
      }}
      empty={{
        Icon: IconPlayerPlay,
        title: 'No evaluation runs yet',
        text: 'Run a collection of evaluators on all traces that match filters.',
      }}
    >
      <ConfirmDialog
        dialog={canceling}
        mutation={useCancelJob(project.id, 'evaluation')}
        variables={({ id }) => id}
        title="Cancel this evaluation?"
        confirmLabel="Cancel evaluation"
        cancelLabel="Keep running"
      >
        The remaining traces are not evaluated. Stored results are kept.
      </ConfirmDialog>
    </ListPage>
  )
}
