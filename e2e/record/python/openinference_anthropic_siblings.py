"""OpenInference's instrumentation of Anthropic beside the client's own spans, in three runs.

The spans of a streaming helper, in the last run, are siblings of the client's own.
"""

import json

from anthropic import Anthropic
from conversation import (
    ANTHROPIC_TOOL,
    CLAUDE,
    QUESTION,
    ROOT_URL,
    SESSION,
    SYSTEM,
    USER,
    refuse_anthropic,
    tracer_provider,
    weather_in,
)
from openinference.instrumentation import using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor

provider = tracer_provider()
AnthropicInstrumentor().instrument(tracer_provider=provider)
client = Anthropic(base_url=ROOT_URL, api_key="none", max_retries=0)
settings = {"model": CLAUDE, "max_tokens": 2000, "system": SYSTEM, "tools": [ANTHROPIC_TOOL]}
thinking = {"type": "enabled", "budget_tokens": 1024}


def create(messages) -> None:
    client.messages.create(messages=messages, **settings)


def create_streamed(messages) -> None:
    for _ in client.messages.create(messages=messages, stream=True, **settings):
        pass


def stream_with_thinking(messages) -> None:
    with client.messages.stream(messages=messages, thinking=thinking, **settings) as stream:
        stream.get_final_message()


asking = {"role": "user", "content": QUESTION}
# The call of the fake provider.
city = {"city": "Paris"}
calling = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": city}
result = json.dumps(weather_in(**city))
answered = {"type": "tool_result", "tool_use_id": "toolu_1", "content": result}


def converse(call) -> None:
    call([asking])
    called = {"role": "assistant", "content": [calling]}
    call([asking, called, {"role": "user", "content": [answered]}])


def run(name: str, call) -> None:
    with provider.get_tracer("weather-app").start_as_current_span(name):
        converse(call)
        if name == "plain":
            refuse_anthropic(client)


with using_attributes(session_id=SESSION, user_id=USER, tags=["weather", "paris"]):
    run("plain", create)
    run("raw-stream", create_streamed)
    run("stream-thinking", stream_with_thinking)
provider.shutdown()
