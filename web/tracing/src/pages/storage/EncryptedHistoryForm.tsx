import { SavedMark } from '@assay/account/form/SavedMark.tsx'
import type { Project } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useSetEncryptedHistory } from '../../api/organizations.ts'
import page from '../../page/page.module.css'

type Mode = Project['encrypted_history']

interface Props {
  readonly project: Project
  readonly canChange: boolean
}

/** Whether chat conversations of the project are stored encrypted. */
export function EncryptedHistoryForm({ project, canChange }: Props) {
  const [mode, setMode] = useState(project.encrypted_history)
  const saving = useSetEncryptedHistory(project.id)
  const isChanged = mode !== project.encrypted_history
  return (
    <form
      className={page.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !saving.isPending) saving.mutate(mode)
      }}
    >
      <SegmentedControl
        aria-label="Encrypted chat history"
        disabled={!canChange}
        value={mode}
        onChange={setMode}
        data={[
          { value: 'off', label: 'Off' },
          { value: 'optional', label: 'Optional' },
          { value: 'required', label: 'Required' },
        ]}
      />
      <p className={page.note}>
        {effects[mode]} While a model answers, the server and the provider of the model have the
        message and its context in memory: this is not end-to-end encryption.
      </p>
      {canChange && (
        <div className={page.line}>
          <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
            Save
          </Button>
          <SavedMark isShown={saving.isSuccess && !isChanged} />
        </div>
      )}
      <FormError message={saving.error?.message} />
    </form>
  )
}

const effects: Readonly<Record<Mode, string>> = {
  off: 'New conversations are stored unencrypted. Those that are encrypted stay encrypted.',
  optional:
    'New conversations of people who set up encryption in Assay Chat are stored so that only their own devices can read them. Their traces have no content, and titles cannot be searched.',
  required:
    'New conversations need a browser that is set up for encryption. They are stored so that only the devices of their owner can read them. Their traces have no content, and titles cannot be searched.',
}
