import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'

interface Props {
  readonly models: readonly ModelConfig[]
  readonly selected: ModelConfig
  readonly onSelect: (configId: string) => void
}

/** The model that writes the next reply. */
export function ModelPicker({ models, selected, onSelect }: Props) {
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Model: ${selected.label}`}
        >
          {selected.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {models.map(({ id, label, model }) => (
          <Menu.Item
            key={id}
            onClick={() => onSelect(id)}
            aria-current={id === selected.id}
            rightSection={id === selected.id ? <IconCheck size={14} /> : undefined}
          >
            {label}
            {label !== model && <span className="dimmed"> {model}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
