import { BranchPickerPrimitive } from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import styles from './thread.module.css'

/** Steps through the versions of a message. */
export function BranchPicker() {
  return (
    <BranchPickerPrimitive.Root hideWhenSingleBranch className={styles.branches}>
      <BranchPickerPrimitive.Previous asChild>
        <ActionIcon size="sm" aria-label="Previous version" title="Previous version">
          <IconChevronLeft size={14} />
        </ActionIcon>
      </BranchPickerPrimitive.Previous>
      <span className="number">
        <BranchPickerPrimitive.Number /> of <BranchPickerPrimitive.Count />
      </span>
      <BranchPickerPrimitive.Next asChild>
        <ActionIcon size="sm" aria-label="Next version" title="Next version">
          <IconChevronRight size={14} />
        </ActionIcon>
      </BranchPickerPrimitive.Next>
    </BranchPickerPrimitive.Root>
  )
}
