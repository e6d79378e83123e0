import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import {
  createModelConfig,
  type ModelConfig,
  type ModelProvider,
  modelProviders,
  requiresApiKey,
  requiresBaseUrl,
  updateModelConfig,
} from '@assay/contract/model-configs.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useSaveModelConfig } from '../../api/model-configs.ts'
import { EditDialog, type EditTarget } from '../../page/EditDialog.tsx'
import {
  baseUrlHint,
  keepsKey,
  type ModelValues,
  providerLabels,
  toModelBody,
  toModelValues,
} from './model-values.ts'
import { PriceInputs } from './PriceInputs.tsx'

interface Props {
  readonly orgId: string
  readonly dialog: DialogState<EditTarget<ModelConfig>>
}

/** Adds or edits a model configuration. */
export function ModelDialog({ orgId, dialog }: Props) {
  return (
    <EditDialog dialog={dialog} titles={{ create: 'Add a model', edit: 'Edit model' }}>
      {(config, close) => <ModelForm orgId={orgId} config={config} onClose={close} />}
    </EditDialog>
  )
}

interface FormProps {
  readonly orgId: string
  readonly config: ModelConfig | null
  readonly onClose: () => void
}

/** An identifier, which is neither completed nor spell-checked. */
const verbatim = { autoComplete: 'off', spellCheck: false } as const

function ModelForm({ orgId, config, onClose }: FormProps) {
  const form = useMutationForm({
    endpoint: config === null ? createModelConfig : updateModelConfig,
    initialValues: toModelValues(config),
    mutation: useSaveModelConfig(orgId, config?.id),
    toBody: toModelBody,
    onDone: onClose,
  })
  const { field, values } = form
  const { provider } = values
  return (
    <Form form={form} submitLabel={config === null ? 'Add model' : 'Save'} onCancel={onClose}>
      <NativeSelect
        label="Provider"
        data-autofocus
        {...field('provider')}
        data={modelProviders.map((value) => ({
          value,
          label: `${providerLabels[value]}${providerExamples[value] ?? ''}`,
        }))}
      />
      <TextInput
        label={provider === 'azure' ? 'Deployment' : 'Model'}
        placeholder={modelExamples[provider]}
        required
        {...verbatim}
        {...field('model')}
      />
      <TextInput
        label="Base URL"
        {...baseUrlHint(provider)}
        required={requiresBaseUrl(provider)}
        type="url"
        {...verbatim}
        {...field('base_url')}
      />
      <PasswordInput
        label="API key"
        description={keyNote(values, config)}
        // `off` would let browsers enter a saved password.
        autoComplete="new-password"
        {...field('api_key')}
      />
      <TextInput
        label="Name"
        description="Optional (defaults to the model)"
        autoComplete="off"
        {...field('label')}
      />
      <PriceInputs field={field} isOpen={values.input_usd_per_mtok !== ''} />
    </Form>
  )
}

const providerExamples: Readonly<Partial<Record<ModelProvider, string>>> = {
  'openai-compatible': ' (Ollama, vLLM, …)',
}

const modelExamples = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  azure: 'my-deployment',
  bedrock: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  mistral: 'mistral-small-latest',
  'openai-compatible': 'qwen3:8b',
} as const

function keyNote(values: ModelValues, config: ModelConfig | null): string {
  if (keepsKey(values, config)) return 'Stored. It cannot be shown again. Leave empty to keep it.'
  if (config?.has_api_key === true) {
    return 'The stored key belongs to the previous address. Enter the new one.'
  }
  const note = 'Stored encrypted and never shown again.'
  return requiresApiKey(values.provider) ? note : `${note} Optional.`
}
