import { limits } from '@assay/contract/limits.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatLocal, formatUtc } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSetRetention } from '../../api/organizations.ts'
import type { StorageUsed } from '../../api/storage.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import page from '../../page/page.module.css'
import { SavedMark } from '../../page/SavedMark.tsx'
import { isShorter, parseDays, retentionCutoff } from './retention-days.ts'

interface Props {
  readonly project: Project
  /** What holds now, once that is known. */
  readonly retention: StorageUsed['retention'] | undefined
  readonly canChange: boolean
}

const firstDays = '90'

/** How long a project keeps what it got, and what that takes away. */
export function RetentionForm({ project, retention, canChange }: Props) {
  const { retention_days: currentDays } = project
  const [isCustom, setCustom] = useState(currentDays !== null)
  const [text, setText] = useState(currentDays === null ? firstDays : String(currentDays))
  const [isDialogOpen, setDialogOpen] = useState(false)
  const saving = useSetRetention(project.id)
  const typed = parseDays(text, limits.retentionDaysMax.value)
  const problem = isCustom && 'problem' in typed ? typed.problem : undefined
  const requestedDays = isCustom && 'days' in typed ? typed.days : null
  const isChanged = problem === undefined && requestedDays !== currentDays
  const save = () => saving.mutate(requestedDays, { onSuccess: () => setDialogOpen(false) })
  return (
    <form
      className={page.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged) return
        if (isShorter(currentDays, requestedDays)) setDialogOpen(true)
        else save()
      }}
    >
      <SegmentedControl
        aria-label="How long telemetry is kept"
        disabled={!canChange}
        value={isCustom ? 'own' : 'service'}
        onChange={(value) => setCustom(value === 'own')}
        data={[
          { value: 'service', label: 'As the service keeps it' },
          { value: 'own', label: 'A period of its own' },
        ]}
      />
      {isCustom && (
        <TextInput
          label="Days"
          inputMode="numeric"
          disabled={!canChange}
          value={text}
          error={problem}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p className={page.note}>
        {requestedDays === null ? (
          isCustom ? null : (
            <ServicePeriod retention={retention} />
          )
        ) : (
          <Losses days={requestedDays} />
        )}
      </p>
      {canChange && (
        <div className={page.line}>
          <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
            Save
          </Button>
          <SavedMark isShown={saving.isSuccess && !isChanged} />
        </div>
      )}
      {!isDialogOpen && <FormError message={saving.error?.message} />}
      <ConfirmDialog
        isOpen={isDialogOpen}
        title="Keep telemetry for a shorter time?"
        confirmLabel="Save and remove"
        error={saving.error?.message}
        isPending={saving.isPending}
        onConfirm={save}
        onClose={() => setDialogOpen(false)}
      >
        <p>
          {requestedDays === null ? (
            'The period of the service holds from then on. If it is shorter, what is older is removed within the hour, for good.'
          ) : (
            <Losses days={requestedDays} />
          )}
        </p>
      </ConfirmDialog>
    </form>
  )
}

function ServicePeriod({ retention }: Pick<Props, 'retention'>) {
  if (retention?.source === 'keep') {
    return 'The service keeps everything: nothing is removed by itself.'
  }
  if (retention?.source === 'deployment' && retention.days !== null) {
    return (
      <>
        The service keeps {countOf(retention.days, 'day')}. <Losses days={retention.days} />
      </>
    )
  }
  return (
    <>
      The operator of the service sets its period with <code>ASSAY_RETENTION_DAYS</code>. Without
      one, everything is kept.
    </>
  )
}

function Losses({ days }: { readonly days: number }) {
  const nowMs = useNow(60_000)
  const before = retentionCutoff(days, nowMs)
  return (
    <>
      Traces, metric points and log records from before{' '}
      <time dateTime={before} title={formatUtc(before)}>
        {formatLocal(Date.parse(before), nowMs)}
      </time>{' '}
      are removed within the hour, for good, and with the traces their spans, scores and comments.
      From then on everything goes {countOf(days, 'day')} after it began.
    </>
  )
}
