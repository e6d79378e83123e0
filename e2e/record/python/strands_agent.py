"""A Strands agent with its own tracing, run twice: its token counts accumulate across runs."""

from conversation import (
    MODEL,
    MODEL_URL,
    QUESTION,
    SESSION,
    SYSTEM,
    USER,
    tracer_provider,
    weather_in,
)
from strands import Agent, tool
from strands.models.openai import OpenAIModel

provider = tracer_provider()


@tool
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return {"status": "success", "content": [{"json": weather_in(city)}]}


agent = Agent(
    model=OpenAIModel(client_args={"base_url": MODEL_URL, "api_key": "none"}, model_id=MODEL),
    tools=[get_weather],
    system_prompt=SYSTEM,
    name="weather",
    callback_handler=None,
    trace_attributes={"session.id": SESSION, "user.id": USER},
)
agent(QUESTION)
agent("And tomorrow?")
provider.shutdown()
