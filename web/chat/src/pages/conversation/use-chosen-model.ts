import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { useLocalStorage } from '@mantine/hooks'

/** The model of the next reply, remembered per project: the one used last, or else the oldest. */
export function useChosenModel(projectId: string, models: readonly ModelConfig[]) {
  const [remembered, remember] = useLocalStorage({
    key: `assay-chat-model ${projectId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const chosen = models.find(({ id }) => id === remembered) ?? models[0]
  return { chosen, choose: remember }
}
