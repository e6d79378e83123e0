"""OpenInference's instrumentation of Anthropic, next to the spans of Anthropic's own client."""

import json

from anthropic import Anthropic
from conversation import (
    CLAUDE,
    PARAMETERS,
    QUESTION,
    ROOT_URL,
    SESSION,
    SYSTEM,
    USER,
    tracer_provider,
    weather_in,
)
from openinference.instrumentation import using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor

provider = tracer_provider()
AnthropicInstrumentor().instrument(tracer_provider=provider)
client = Anthropic(base_url=ROOT_URL, api_key="none", max_retries=0)
tool = {
    "name": "get_weather",
    "description": "The weather in a city, now.",
    "input_schema": PARAMETERS,
}
settings = {"model": CLAUDE, "max_tokens": 200, "system": SYSTEM, "tools": [tool]}

with using_attributes(session_id=SESSION, user_id=USER):
    messages = [{"role": "user", "content": QUESTION}]
    first = client.messages.create(messages=messages, **settings)
    [use] = [block for block in first.content if block.type == "tool_use"]
    result = json.dumps(weather_in(**use.input))
    calling = use.model_dump(include={"type", "id", "name", "input"})
    answered = {"type": "tool_result", "tool_use_id": use.id, "content": result}
    messages += [
        {"role": "assistant", "content": [calling]},
        {"role": "user", "content": [answered]},
    ]
    with client.messages.create(messages=messages, stream=True, **settings) as stream:
        for _ in stream:
            pass
provider.shutdown()
