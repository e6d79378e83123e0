import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import styles from './form.module.css'
import { SavedMark } from './SavedMark.tsx'
import type { MutationForm } from './use-mutation-form.ts'

export interface FooterProps {
  readonly form: Pick<
    MutationForm<never>,
    'error' | 'isPending' | 'isDirty' | 'isSaved' | 'refusals' | 'onSubmit'
  >
  /** Omitted where the fields contain the footer. */
  readonly submitLabel?: string
  /** For a form in a dialog. */
  readonly onCancel?: () => void
  /** For a settings form: nothing to submit before a change, and a mark confirms the save. */
  readonly isSettings?: boolean
  /** The text of the mark, if not `Saved`. */
  readonly savedText?: string
  readonly isDisabled?: boolean
}

/** The error and the buttons of a form. */
export function FormFooter(props: FooterProps) {
  const { form, submitLabel, onCancel, savedText, isSettings = false, isDisabled = false } = props
  const submit = (
    <Button
      type="submit"
      size={isSettings || onCancel !== undefined ? 'xs' : 'sm'}
      loading={form.isPending}
      disabled={isDisabled || (isSettings && !form.isDirty)}
    >
      {submitLabel}
    </Button>
  )
  return (
    <>
      <FormError message={form.error} />
      {isSettings ? (
        <div className={styles.line}>
          {submit}
          <SavedMark
            isShown={form.isSaved}
            {...(savedText === undefined ? {} : { children: savedText })}
          />
        </div>
      ) : onCancel === undefined ? (
        submit
      ) : (
        <div className={styles.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {submit}
        </div>
      )}
    </>
  )
}
