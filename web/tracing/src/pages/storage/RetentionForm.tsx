import { SavedMark } from '@assay/account/form/SavedMark.tsx'
import { limits } from '@assay/contract/limits.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatLocal, formatUtc } from '@assay/ui/time-format.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSetRetention } from '../../api/organizations.ts'
import type { StorageUsed } from '../../api/storage.ts'
import page from '../../page/page.module.css'
import { isShorter, parseDays, retentionCutoff } from './retention-days.ts'

interface Props {
  readonly project: Project
  /** The retention in effect, once it is loaded. */
  readonly retention: StorageUsed['retention'] | undefined
  readonly canChange: boolean
}

const initialDays = '90'

/** Sets the retention of a project. A shorter one deletes telemetry and is confirmed first. */
export function RetentionForm({ project, retention, canChange }: Props) {
  const { retention_days: currentDays } = project
  const [isCustom, setCustom] = useState(currentDays !== null)
  const [text, setText] = useState(currentDays === null ? initialDays : String(currentDays))
  const saving = useSetRetention(project.id)
  const confirming = useDialog<number | null>()
  const parsed = parseDays(text, limits.retentionDaysMax.value)
  const problem = isCustom && 'problem' in parsed ? parsed.problem : undefined
  const days = isCustom && 'days' in parsed ? parsed.days : null
  const isChanged = problem === undefined && days !== currentDays
  return (
    <form
      className={page.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged || saving.isPending) return
        if (isShorter(currentDays, days)) confirming.open(days)
        else saving.mutate(days)
      }}
    >
      <SegmentedControl
        aria-label="Retention"
        disabled={!canChange}
        value={isCustom ? 'custom' : 'default'}
        onChange={(value) => setCustom(value === 'custom')}
        data={[
          { value: 'default', label: 'Default retention' },
          { value: 'custom', label: 'Custom retention' },
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
        {days !== null ? (
          <Losses days={days} />
        ) : (
          !isCustom && <DefaultRetention retention={retention} />
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
      {!confirming.isOpen && <FormError message={saving.error?.message} />}
      <ConfirmDialog
        dialog={confirming}
        mutation={saving}
        variables={(requested) => requested}
        title="Shorten the retention?"
        confirmLabel="Save and delete"
      >
        {(requested) => (
          <p>
            {requested === null ? (
              "The default retention of the service applies. If it is shorter, older telemetry is deleted within an hour. This can't be undone."
            ) : (
              <Losses days={requested} />
            )}
          </p>
        )}
      </ConfirmDialog>
    </form>
  )
}

function DefaultRetention({ retention }: Pick<Props, 'retention'>) {
  if (retention?.source === 'keep') return 'The service keeps telemetry forever.'
  if (retention?.source === 'deployment' && retention.days !== null) {
    return (
      <>
        The service keeps telemetry for {countOf(retention.days, 'day')}.{' '}
        <Losses days={retention.days} />
      </>
    )
  }
  return (
    <>
      The operator of the service sets it with <code>ASSAY_RETENTION_DAYS</code>. Without it,
      telemetry is kept forever.
    </>
  )
}

function Losses({ days }: { readonly days: number }) {
  const nowMs = useNow(60_000)
  const before = retentionCutoff(days, nowMs)
  return (
    <>
      Traces (with spans and comments), metric points and log records older than{' '}
      <time dateTime={before} title={formatUtc(before)}>
        {formatLocal(Date.parse(before), nowMs)}
      </time>{' '}
      are deleted within an hour. This can't be undone. From then on, telemetry is deleted after{' '}
      {countOf(days, 'day')}.
    </>
  )
}
