import type { PriceRule } from '@assay/contract/prices.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useSaveRule } from '../../api/prices.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'
import type { CurrentProject } from '../../shell/use-project.ts'
import { PriceFields } from './PriceFields.tsx'
import styles from './prices.module.css'
import { parseDraft, type RuleDraft, type RuleErrors, ruleFields } from './rule-draft.ts'
import type { FieldOf } from './rule-field.ts'

interface Props {
  readonly current: CurrentProject
  readonly changed: PriceRule | undefined
  readonly first: RuleDraft
  readonly onDone: () => void
}

/** The members of a price or an alias. */
export function RuleForm({ current, changed, first, onDone }: Props) {
  const { project, organization, can } = current
  const [draft, setDraft] = useState(first)
  const [typing, setTyping] = useState<RuleErrors>({})
  const saving = useSaveRule(project.id, organization.id)
  const refused = fieldErrors(saving.error, ruleFields)
  const place = useRef<HTMLFormElement>(null)
  // The form is longer than a small screen: what was refused has to be seen.
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [typing, saving.error])
  const field: FieldOf = (name) => ({
    value: draft.texts[name],
    error: typing[name] ?? refused.fields[name],
    onChange: ({ currentTarget: { value } }) =>
      setDraft((was) => ({ ...was, texts: { ...was.texts, [name]: value } })),
  })
  function save(): void {
    const read = parseDraft(draft)
    setTyping('errors' in read ? read.errors : {})
    if ('body' in read) {
      saving.mutate({ changed, scope: draft.scope, body: read.body }, { onSuccess: onDone })
    }
  }
  return (
    <form
      ref={place}
      className={form.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {changed === undefined && can('manage_org_settings') && (
        <NativeSelect
          label="Holds in"
          value={draft.scope}
          onChange={({ currentTarget: { value } }) =>
            setDraft({ ...draft, scope: value === 'organization' ? 'organization' : 'project' })
          }
          data={[
            { value: 'project', label: `this project, ${project.name}` },
            { value: 'organization', label: `every project of ${organization.name}` },
          ]}
        />
      )}
      <div className={styles.pair}>
        <TextInput
          label="Model"
          description="As spans name it; * stands for any characters"
          data-autofocus
          {...field('model')}
        />
        <TextInput
          label="Provider"
          description="Only where this one served the call; empty for any"
          {...field('provider')}
        />
      </div>
      {draft.kind === 'alias' ? (
        <div className={styles.pair}>
          <TextInput
            label="Stands for the model"
            description="As the price list or a price of yours names it"
            {...field('target_model')}
          />
          <TextInput
            label="Served by"
            description="Empty for its own maker"
            {...field('target_provider')}
          />
        </div>
      ) : (
        <PriceFields field={field} isLong={draft.texts['long_context.above_tokens'] !== ''} />
      )}
      <div className={styles.pair}>
        <TextInput
          type="datetime-local"
          step={1}
          label="Holds from"
          description="Local time; empty for ever since"
          {...field('valid_from')}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label="Holds until"
          description="Empty for no end"
          {...field('valid_to')}
        />
      </div>
      <Textarea label="Note" autosize={false} rows={2} maxLength={500} {...field('note')} />
      <FormError message={refused.rest} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {changed === undefined ? 'Save' : 'Save the change'}
        </Button>
      </div>
    </form>
  )
}
