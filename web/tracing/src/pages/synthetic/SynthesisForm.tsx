import form from '@assay/account/form/form.module.css'
import { limits } from '@assay/contract/limits.ts'
import type { SyntheticSource } from '@assay/contract/synthetic.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Button, TextInput } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import page from '../../page/page.module.css'
import { ModelField } from './ModelField.tsx'
import { useSynthetic } from './synthetic-context.ts'

interface Props {
  readonly source: SyntheticSource
  readonly submitLabel: string
  readonly onStart?: () => void
}

/** The settings of the model call that writes the blueprint. */
export function SynthesisForm({ source, submitLabel, onStart }: Props) {
  const { draft, writing, choice } = useSynthetic()
  const [domain, setDomain] = useState(draft.synthesis?.blueprint.domain ?? '')

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    writing.start({
      source,
      domain: domain.trim() || 'auto',
      model_config_id: choice.modelId,
    })
    onStart?.()
  }

  return (
    <form className={form.settings} aria-label="Blueprint" onSubmit={submit}>
      <ModelField choice={choice} />
      <TextInput
        label="Domain"
        description="Optional, such as online retail. Otherwise, it follows from the source."
        maxLength={limits.blueprintDomainLength.value}
        autoComplete="off"
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
      />
      <p className={page.note}>
        The {countOf(source.chars, 'character')} of the source are sent to the model in one call.
        Secrets in it are masked before.
      </p>
      <div>
        <Button type="submit" size="sm">
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
