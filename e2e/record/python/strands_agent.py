"""A Strands agent with its own tracing, run twice: its token counts accumulate across runs."""

from conversation import (
    CLAUDE,
    MODEL,
    MODEL_URL,
    PROVIDER,
    QUESTION,
    ROOT_URL,
    SESSION,
    SYSTEM,
    USER,
    tracer_provider,
    weather_in,
)
from strands import Agent, tool

provider = tracer_provider()


@tool
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return {"status": "success", "content": [{"json": weather_in(city)}]}


def model():
    if PROVIDER == "anthropic":
        from strands.models.anthropic import AnthropicModel

        client = {"base_url": ROOT_URL, "api_key": "none"}
        return AnthropicModel(client_args=client, model_id=CLAUDE, max_tokens=200)
    from strands.models.openai import OpenAIModel

    return OpenAIModel(client_args={"base_url": MODEL_URL, "api_key": "none"}, model_id=MODEL)


agent = Agent(
    model=model(),
    tools=[get_weather],
    system_prompt=SYSTEM,
    name="weather",
    callback_handler=None,
    trace_attributes={"session.id": SESSION, "user.id": USER},
)
agent(QUESTION)
agent("And tomorrow?")
provider.shutdown()
