import { Loader, Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type Command, matchingCommands } from './command-match.ts'
import styles from './palette.module.css'
import { useCommands } from './use-commands.ts'
import { useFoundTraces } from './use-found-traces.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onShowShortcuts: () => void
}

/** Goes anywhere by typing where. */
export function Palette({ isOpen, onClose, onShowShortcuts }: Props) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={560}
      yOffset="12vh"
      lockScroll={false}
      // Opened anew at once after it was closed, it must not still hold what was typed before.
      transitionProps={{ duration: 0 }}
      classNames={{ content: styles.sheet }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Go to" radius="md">
        <Search onClose={onClose} onShowShortcuts={onShowShortcuts} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose, onShowShortcuts }: Omit<Props, 'isOpen'>) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const found = useFoundTraces(text)
  const groups = [
    ...useCommands(onShowShortcuts).map(({ title, commands }) => ({
      title,
      commands: matchingCommands(commands, text),
    })),
    { title: text.trim() === '' ? 'Newest traces' : 'Traces', commands: found.commands },
  ].filter(({ commands }) => commands.length > 0)
  const all = groups.flatMap(({ commands }) => commands)
  const current = all[Math.min(at, all.length - 1)]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function run(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    command.run()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (step !== undefined && all.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, all.length - 1) + step + all.length) % all.length)
    }
    // Enter also ends the composition of a character; that is no choice.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(current)
    }
  }

  return (
    <>
      <div className={styles.search}>
        <IconSearch size={17} stroke={1.75} aria-hidden />
        <input
          className={styles.input}
          placeholder="Go to a page, a project or a trace"
          aria-label="Go to a page, a project or a trace"
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={current && optionId(current)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        {found.isLooking && <Loader size={14} />}
      </div>
      <div
        ref={list}
        id="palette-list"
        role="listbox"
        aria-label="Where to"
        className={styles.list}
      >
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={styles.group} aria-hidden>
              {title}
            </div>
            {commands.map((command) => (
              <Option
                key={command.id}
                command={command}
                isCurrent={command === current}
                onPoint={() => setAt(all.indexOf(command))}
                onRun={() => run(command)}
              />
            ))}
          </div>
        ))}
        {all.length === 0 && !found.isLooking && (
          <p className={styles.none}>
            Nothing is called that. Try a part of a name, or a trace id.
          </p>
        )}
      </div>
      <div className={styles.foot} aria-hidden>
        <span>
          <kbd className={styles.key}>↑</kbd> <kbd className={styles.key}>↓</kbd> choose
        </span>
        <span>
          <kbd className={styles.key}>Enter</kbd> go
        </span>
        <span>
          <kbd className={styles.key}>Esc</kbd> close
        </span>
      </div>
    </>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface OptionProps {
  readonly command: Command
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

function Option({ command, isCurrent, onPoint, onRun }: OptionProps) {
  return (
    <button
      type="button"
      role="option"
      id={optionId(command)}
      aria-selected={isCurrent}
      tabIndex={-1}
      className={styles.option}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <span className={styles.word}>{command.word}</span>
      {command.hint !== undefined && <span className={styles.hint}>{command.hint}</span>}
    </button>
  )
}

function optionId({ id }: Command): string {
  return `palette-${id}`
}
