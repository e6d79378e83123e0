import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { limits } from '@assay/contract/limits.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { FormDialog } from '../../page/FormDialog.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import { BlueprintView } from './BlueprintView.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { RequestRefusal } from './RequestRefusal.tsx'
import { SendToCalculator } from './SendToCalculator.tsx'
import { SynthesisForm } from './SynthesisForm.tsx'
import styles from './synthetic.module.css'
import { useSynthetic } from './synthetic-context.ts'
import { Waiting } from './Waiting.tsx'

const route = getRouteApi('/signed-in/p/$projectId/synthetic/blueprint')

/** The agent that a model writes from the source, with its tools, records, policies and tasks. */
export function BlueprintPage() {
  const { projectId } = route.useParams()
  const current = useProject()
  const { draft, writing } = useSynthetic()
  const rewriting = useDialog<null>()
  const { source, synthesis } = draft
  const canRun = current.can('run_agents') || current.can('manage_agents')
  if (source === undefined) return <NoSource projectId={projectId} />
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead
        title="Blueprint"
        lead={
          synthesis === undefined
            ? 'A model writes an agent from the source: prompt, tools, records, policies and tasks. They are then checked without a model.'
            : `Written by ${synthesis.model} and checked without a model. Source: ${source.label}.`
        }
        action={
          synthesis !== undefined && (
            <div className={page.line}>
              {canRun && !writing.isPending && (
                <Button variant="default" onClick={() => rewriting.open(null)}>
                  Write again
                </Button>
              )}
              <DownloadMenu synthesis={synthesis} />
              <SendToCalculator blueprint={synthesis.blueprint} />
            </div>
          )
        }
      />
      <PermissionNote access={current} needs="run_agents" to="turn documents into agents" />
      {writing.isPending && (
        <Waiting activity="Writing the blueprint" request={writing}>
          One model call, which usually takes a minute and at most{' '}
          {limits.synthesisSeconds.value / 60} minutes for each attempt. Leaving these pages or
          reloading cancels it; what the model has written until then is billed by its provider.
        </Waiting>
      )}
      {writing.error !== null && !writing.isPending && (
        <RequestRefusal title="No blueprint was written" error={writing.error} />
      )}
      {synthesis !== undefined ? (
        <BlueprintView
          source={source}
          synthesis={synthesis}
          onRetry={canRun && !writing.isPending ? () => rewriting.open(null) : undefined}
        />
      ) : (
        canRun &&
        !writing.isPending && (
          <SynthesisForm
            source={source}
            submitLabel={writing.error === null ? 'Write the blueprint' : 'Try again'}
          />
        )
      )}
      <FormDialog dialog={rewriting} title="Write the blueprint again">
        {(_, close) => (
          <div className={styles.stack}>
            <p className={page.note}>
              The new blueprint replaces this one and its scenarios. If it fails, this one stays.
            </p>
            <SynthesisForm source={source} submitLabel="Write again" onStart={close} />
          </div>
        )}
      </FormDialog>
    </div>
  )
}

function NoSource({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      isPage
      icon={<IconFileText size={20} stroke={1.75} />}
      title="No source yet"
      actions={
        <LinkButton to="/p/$projectId/synthetic/source" params={{ projectId }}>
          Choose a source
        </LinkButton>
      }
    >
      Read a document first. A source stays in the browser in which it was read.
    </EmptyState>
  )
}
