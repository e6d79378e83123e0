"""LiteLLM's own OpenTelemetry callback."""

import json
import os
import time

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402
from conversation import (  # noqa: E402
    CLAUDE,
    MODEL,
    MODEL_URL,
    OPENAI_TOOL,
    PROVIDER,
    QUESTION,
    ROOT_URL,
    SYSTEM,
    USER,
    tracer_provider,
    weather_in,
)

provider = tracer_provider()
litellm.callbacks = ["otel"]
models = {
    "openai": {"model": f"openai/{MODEL}", "api_base": MODEL_URL},
    "anthropic": {"model": f"anthropic/{CLAUDE}", "api_base": ROOT_URL},
}
settings = {**models[PROVIDER], "api_key": "none", "tools": [OPENAI_TOOL], "user": USER}
messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
first = litellm.completion(messages=messages, **settings)
calling = first.choices[0].message
[call] = calling.tool_calls
messages += [
    calling.model_dump(exclude_none=True),
    {"role": "tool", "tool_call_id": call.id, "content": json.dumps(weather_in("Paris"))},
]
litellm.completion(messages=messages, **settings)
# Callbacks run on a background thread that cannot be awaited.
time.sleep(2)
provider.shutdown()
